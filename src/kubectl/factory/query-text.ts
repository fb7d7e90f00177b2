import type { Query } from './request.js'

/** `?limit=500&watch=true`, names in order; '' where there is nothing to ask. */
export function queryText(query: Query): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as [string, string]),
    )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
