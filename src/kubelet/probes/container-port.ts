import type { Container } from '../../api/core/v1/container.js'
import { quote } from '../../schema/quote.js'

/** Resolves the port of a probe or hook: a number, a port name, or a number as text. Throws if it is invalid. */
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
