import type { ApiRequest } from './request-context.js'

/**
 * Returns the values of a header, one for each time that it was sent. Node joins them by commas, which a value may also contain: a client
 * could turn one group into two.
 */
export function headerValues({ headers, rawHeaders }: ApiRequest, name: string): readonly string[] {
  const wanted = name.toLowerCase()
  const joined = headers[wanted]
  if (joined === undefined) return []
  if (!rawHeaders) return [joined].flat()
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === wanted)
}
