import { execFileSync } from 'node:child_process'
import { buildSync } from 'esbuild'
import { builtin } from '../src/api/scheme.js'
import { decodeJson, decodeValue } from '../src/schema/decode/decoder.js'
import { setDefaults } from '../src/schema/defaults.js'
import { encode } from '../src/schema/encode.js'
import type { ObjectType } from '../src/schema/model.js'
import { decodeProtobuf } from '../src/schema/protobuf/decode.js'
import { encodeProtobuf } from '../src/schema/protobuf/encode.js'
import { median, microseconds, type ReportFigure } from './figure.js'
import { typicalPod } from './typical-pod.js'

export async function schemaFigures(report: ReportFigure): Promise<void> {
  podFigures(report)
  const bundled = bundledScheme()
  report({
    name: 'load all declarations',
    value: median(repeat(7, () => loadTime(bundled))),
    unit: 'ms',
    budget: '≤ 80 ms',
    note: `as modules ${median(repeat(5, () => loadTime('dist/src/api/scheme.js'))).toFixed(0)} ms`,
  })
  report({ name: 'type-check the project', value: typeCheckTime(), unit: 's', budget: '≤ 10 s' })
}

function podFigures(report: ReportFigure): void {
  const type = builtin.type('core/v1.Pod')
  const bytes = Buffer.from(JSON.stringify(typicalPod))
  const parse = microseconds(() => JSON.parse(bytes.toString()))
  const take = () => {
    const { object } = decodeJson(type, bytes, 'Strict')
    setDefaults(type, object)
    return object
  }
  const whole = microseconds(take)
  report({
    name: 'pod: decode, default',
    value: whole,
    unit: 'µs',
    budget: '≤ 60 µs',
    note: `${bytes.length} bytes; ${(whole / parse).toFixed(1)} times JSON.parse (${parse.toFixed(1)} µs)`,
  })
  report({ name: 'pod: decode', value: microseconds(() => decodeJson(type, bytes, 'Strict')), unit: 'µs' })
  const pod = take()
  report({ name: 'pod: canonical encoding', value: microseconds(() => encode(type, pod)), unit: 'µs' })
  protobufFigures(report, type, pod)
  const odd = Buffer.from(JSON.stringify({ ...typicalPod, odd: 1 }))
  report({
    name: 'pod: decode with an unknown field',
    value: microseconds(() => decodeJson(type, odd, 'Warn'), 2_000),
    unit: 'µs',
  })
}

function protobufFigures(report: ReportFigure, type: ObjectType, pod: Record<string, unknown>): void {
  const json = Buffer.from(JSON.stringify(pod))
  const bytes = encodeProtobuf(type, pod)
  const jsonDecoding = microseconds(() => decodeJson(type, json, 'Strict'))
  const jsonEncoding = microseconds(() => Buffer.from(JSON.stringify(pod)))
  report({
    name: 'pod: decode from protobuf',
    value: microseconds(() => decodeValue(type, decodeProtobuf(type, bytes), 'Strict')),
    unit: 'µs',
    note: `${bytes.length} bytes; from JSON, ${json.length} bytes, ${jsonDecoding.toFixed(1)} µs`,
  })
  report({
    name: 'pod: encode as protobuf',
    value: microseconds(() => encodeProtobuf(type, pod)),
    unit: 'µs',
    note: `as JSON ${jsonEncoding.toFixed(1)} µs`,
  })
}

/** Bundles all types, to measure how fast they load without cached code. */
function bundledScheme(): string {
  const outfile = 'dist/bench/bundled-scheme.js'
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external' } as const
  buildSync({ ...options, entryPoints: ['src/api/scheme.ts'], outfile })
  return outfile
}

/** Measures an import in its own process. */
function loadTime(file: string): number {
  const script = `const start = performance.now(); await import('./${file}'); console.log(performance.now() - start)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }))
}

function typeCheckTime(): number {
  const start = performance.now()
  execFileSync('node_modules/.bin/tsc', ['-p', '.', '--noEmit', '--incremental', 'false'], { stdio: 'inherit' })
  return (performance.now() - start) / 1000
}

function repeat(times: number, measure: () => number): number[] {
  return Array.from({ length: times }, measure)
}
