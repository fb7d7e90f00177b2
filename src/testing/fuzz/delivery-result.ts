/** The result of a request. */
export type DeliveryResult =
  | { readonly is: 'answered'; readonly status: number; readonly type: string; readonly body: string }
  /** A response without an end, such as a watch. It was read for a while. */
  | { readonly is: 'streaming'; readonly status: number }
  /** The server closed the connection before the response was complete. */
  | { readonly is: 'closed' }
  /** Nothing happened in time. */
  | { readonly is: 'hung' }

export const closed: DeliveryResult = { is: 'closed' }
export const hung: DeliveryResult = { is: 'hung' }

/** In milliseconds. The host may be busy, and a large list takes long. */
export const responseTimeout = 20_000
/** Milliseconds for which a stream is read. */
export const streamReadTime = 150
