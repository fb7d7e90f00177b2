/** What became of a request. */
export type DeliveryResult =
  | { readonly is: 'answered'; readonly status: number; readonly type: string; readonly body: string }
  /** An answer that goes on for as long as its reader likes; it was read for a while. */
  | { readonly is: 'streaming'; readonly status: number }
  /** The server ended the connection without an answer, or in the middle of one. */
  | { readonly is: 'closed' }
  /** Neither of these in time. */
  | { readonly is: 'hung' }

export const closed: DeliveryResult = { is: 'closed' }
export const hung: DeliveryResult = { is: 'hung' }

/** In milliseconds. The machine may be busy with other things, and a big list takes its time. */
export const responseTimeout = 20_000
/** How long a stream is read. */
export const streamReadTime = 150
