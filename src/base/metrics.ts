import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Numbers about a running component, in Prometheus' terms. Each cluster has its own: two clusters in one test process do not
 * add up. Asking for a metric a second time under the same name gives the first one; asking for another type of metric, or for
 * other labels, under that name throws.
 */
export interface Metrics {
  counter<L extends string>(options: MetricOptions<L>): Counter<L>
  gauge<L extends string>(options: MetricOptions<L>): Gauge<L>
  histogram<L extends string>(options: MetricOptions<L> & { readonly buckets?: readonly number[] }): Histogram<L>
  /** Numbers that are kept elsewhere, and read when somebody asks: for what is counted so often that counting must cost nothing. */
  collected(options: CollectedOptions, samples: () => MetricSample[]): void
  /** The text exposition format. */
  text(): Promise<string>
}

export interface MetricOptions<L extends string> {
  /** Upstream's name where one exists. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly L[]
}

export interface CollectedOptions {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
}

export interface MetricSample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** Where it is not that of the metric: `…_bucket`, `…_sum`, `…_count`. */
  readonly metricName?: string
}

export function metrics(): Metrics {
  const registry = new Registry()
  const once = shared()
  const base = ({ name, help, labels = [] }: MetricOptions<string>) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  })
  return {
    counter: (options) => once('counter', options, () => new Counter(base(options))),
    gauge: (options) => once('gauge', options, () => new Gauge(base(options))),
    histogram: (options) =>
      once(
        'histogram',
        options,
        () => new Histogram({ ...base(options), ...(options.buckets && { buckets: [...options.buckets] }) }),
      ),
    collected: (options, samples) => {
      const { name } = options
      once(options.type, options, () =>
        registry.registerMetric({ name, get: () => asked(options, samples()) } as never),
      )
    },
    text: () => registry.metrics(),
  }
}

/** What the registry expects of a metric when it writes it. */
async function asked(options: CollectedOptions, values: MetricSample[]): Promise<object> {
  return { ...options, values, aggregator: 'sum' }
}

/** Remembers what was created under each name, and refuses to give it to someone who expects something else. */
function shared(): <M>(type: string, options: MetricOptions<string>, create: () => M) => M {
  const known = new Map<string, { readonly shape: string; readonly metric: unknown }>()
  return <M>(type: string, { name, labels = [] }: MetricOptions<string>, create: () => M) => {
    const shape = `${type} by [${labels.join(', ')}]`
    const { shape: first, metric } = known.get(name) ?? { shape, metric: create() }
    if (first !== shape) throw new Error(`metric ${name} is a ${first}, so it cannot also be a ${shape}`)
    known.set(name, { shape, metric })
    return metric as M
  }
}
