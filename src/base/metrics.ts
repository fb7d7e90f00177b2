import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * The metrics of a component, in Prometheus' terms. Each cluster has its own: two clusters in one test process do not add up. A second call
 * with the same name returns the first metric; it throws if the type or the labels differ.
 */
export interface Metrics {
  counter<L extends string>(options: MetricOptions<L>): Counter<L>
  gauge<L extends string>(options: MetricOptions<L>): Gauge<L>
  histogram<L extends string>(options: MetricOptions<L> & { readonly buckets?: readonly number[] }): Histogram<L>
  /** A metric whose values are stored elsewhere and read on request: for values that change so often that counting must cost nothing. */
  collected(options: CollectedOptions, samples: () => MetricSample[]): void
  /** Returns the text exposition format. */
  text(): Promise<string>
}

export interface MetricOptions<L extends string> {
  /** Upstream's name if there is one. */
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
  /** If it differs from the metric: `…_bucket`, `…_sum`, `…_count`. */
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
        registry.registerMetric({ name, get: () => prometheusMetric(options, samples()) } as never),
      )
    },
    text: () => registry.metrics(),
  }
}

/** Returns a metric in the form that the registry expects. */
async function prometheusMetric(options: CollectedOptions, values: MetricSample[]): Promise<object> {
  return { ...options, values, aggregator: 'sum' }
}

/** Returns the metric of a name, or creates it. Throws if the name has another type or other labels. */
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
