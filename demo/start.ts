/** `npm start`: for now the sandbox alone, exactly as `npx pay-checkout sandbox` runs it, flags included. */
process.argv.splice(2, 0, 'sandbox');
await import('../src/cli.js');
