import type { Container } from '../../api/core/v1/container.js'
import { quote } from '../../schema/quote.js'

/** A port as a probe or a hook names it: a number, the name of one of the container's ports, or a number as text. Throws for any other. */
export function containerPort(reference: number | string, { ports = [] }: Container): number {
  const named = ports.find(({ name }) => name !== undefined && name !== '' && name === reference)
  const port = named?.containerPort ?? numberOf(reference)
  if (port <= 0 || port >= 65_536) throw new Error(`invalid port number: ${port}`)
  return port
}

function numberOf(reference: number | string): number {
  if (typeof reference === 'number') return reference
  if (!/^[+-]?[0-9]+$/.test(reference)) throw new Error(`strconv.Atoi: parsing ${quote(reference)}: invalid syntax`)
  return Number(reference)
}
