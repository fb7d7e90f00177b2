import type { Say } from './figure.js'
export async function schemaFigures(say: Say): Promise<void> {
  say({ name: '', value: 0, unit: '' })
}
