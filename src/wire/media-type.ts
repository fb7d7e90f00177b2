/** A media type with its parameters, as in `Accept` and `Content-Type`. */
export interface MediaType {
  /** In lower case: `application/json`. */
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
  /** The preference of the client, from 0 to 1. */
  readonly quality: number
}

/** Parses one media type. Invalid parameters count as not given. */
export function parseMediaType(text: string): MediaType {
  const [type = '', ...rest] = text.split(';')
  const parameters: Record<string, string> = {}
  for (const parameter of rest) {
    const equals = parameter.indexOf('=')
    if (equals < 0) continue
    const value = parameter.slice(equals + 1).trim()
    parameters[parameter.slice(0, equals).trim().toLowerCase()] = value.startsWith('"') ? value.slice(1, -1) : value
  }
  return { type: type.trim().toLowerCase(), parameters, quality: qualityOf(parameters.q) }
}

function qualityOf(text: string | undefined): number {
  const quality = text === undefined ? 1 : Number(text)
  return quality >= 0 && quality <= 1 ? quality : 1
}

/** Parses an `Accept` header. The result is sorted by quality; equal ones keep their order. */
export function parseAccept(header: string): readonly MediaType[] {
  const types = header.split(',').map(parseMediaType)
  return types.filter(({ type, quality }) => type !== '' && quality > 0).sort((a, b) => b.quality - a.quality)
}
