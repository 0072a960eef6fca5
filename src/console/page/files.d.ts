/** Files that the bundler understands and the compiler does not. */

declare module '*.css';
