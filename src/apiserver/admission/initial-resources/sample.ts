import { Quantity } from '../../../schema/values/quantity.js'

/** The usage of a container at one time. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly namespace: string
  readonly image: string
  /** Millicores. */
  readonly cpu: number | undefined
  /** Bytes. */
  readonly memory: number | undefined
}

/** Field names as in pod metrics, plus the image. */
interface GivenSample {
  readonly timestamp?: unknown
  readonly namespace?: unknown
  readonly image?: unknown
  readonly usage?: { readonly cpu?: unknown; readonly memory?: unknown }
}

/** `{"timestamp":"2026-01-01T00:00:00Z","namespace":"default","image":"nginx:1.29","usage":{"cpu":"12m","memory":"20Mi"}}` */
export function readSample(line: string): Sample {
  const { timestamp, namespace, image, usage } = JSON.parse(line) as GivenSample
  const time = Date.parse(String(timestamp))
  if (Number.isNaN(time)) throw new Error('timestamp is invalid')
  if (typeof namespace !== 'string' || namespace === '') throw new Error('namespace is missing')
  if (typeof image !== 'string' || image === '') throw new Error('image is missing')
  const cpu = amountIn(usage?.cpu)?.milliValue()
  const memory = amountIn(usage?.memory)?.value()
  if (cpu === undefined && memory === undefined) throw new Error('usage has neither cpu nor memory')
  return { time, namespace, image, cpu, memory }
}

function amountIn(given: unknown): Quantity | undefined {
  if (given === undefined) return undefined
  const amount = Quantity.parse(String(given))
  if (amount.sign() < 0) throw new Error(`usage is negative: ${given}`)
  return amount
}
