import { generate } from 'lean-qr';
import { toPngDataURL } from 'lean-qr/extras/node_export';

/** What stands behind one checkout while it is measured: the merchant's server, and the provider's where it has one. */
export interface Backend {
  /** What the merchant's page is given to mount its checkouts with, one for each; where they may share, one for all. */
  readonly orders: readonly string[];
  /** What the merchant's page has in its HTML where the checkout stands. */
  readonly html?: string;
  /** Undefined for what it does not know, which is answered 404. */
  answer(request: Request): Promise<Response> | Response | undefined;
  /** From now on the payment is paid. */
  settle(): void;
  close(): Promise<void> | void;
}

export const SHOP = 'https://shop.test';

export function json(body: unknown): Response {
  return Response.json(body, { headers: { 'cache-control': 'no-store' } });
}

/** The text of a payment code, as long as they are. */
export const CODE_TEXT =
  '00020101021226580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865406150.005802BR5913Tienda6006Bogota62070503***6304ABCD';

/** The code's picture, for peers that are given one by their provider. */
export const CODE_PICTURE = toPngDataURL(generate(CODE_TEXT), { scale: 5 });

/** Stands in for logos, which peers fetch from their own hosts: it costs no request. */
export const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
