/**
 * Runs the compiled tests, each file in its own process. Lists the skipped tests and their reasons at the end: a test that needs root or a
 * Debian package must not be skipped in silence. Arguments are parts of paths, or whole paths of test files.
 */
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'

const wanted = process.argv.slice(2)
const files = filesToRun()
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(' ')}`)
  process.exit(1)
}

const started = performance.now()
const skipped: string[] = []
const failed: string[] = []
let passed = 0

const events = run({ files, concurrency: availableParallelism(), timeout: 600_000 })
events.on('test:pass', ({ name, skip, details, file }) => {
  if (skip !== undefined) skipped.push(`${name}: ${skip === true ? 'no reason given' : skip} (${file})`)
  else if (isFile(name)) fail(name, file, 'the file ended before its tests did, or has none')
  else if (details.type !== 'suite') passed++
})
events.on('test:fail', ({ name, details, file }) => {
  const { error } = details
  // A suite that fails because of its tests is not counted: the tests are.
  if (details.type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed') return
  fail(name, file, isFile(name) ? endOf(error) : (error.cause ?? error))
})
// Errors that occur after the end of a test are reported only here.
events.on('test:diagnostic', ({ message }) => {
  if (message.startsWith('Warning: ') || message.startsWith('Error: ')) console.error(message)
})
events.on('test:stderr', ({ message }) => process.stderr.write(message))
events.on('test:stdout', ({ message }) => process.stdout.write(message))
events.on('end', () => {
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (skipped.length > 0) console.log(`\nskipped:\n  ${skipped.join('\n  ')}`)
  console.log(`\n${passed} passed, ${failed.length} failed, ${skipped.length} skipped in ${seconds} s`)
  for (const name of failed) console.log(`  ✗ ${name}`)
  process.exitCode = failed.length > 0 ? 1 : 0
})
events.resume()

function filesToRun(): string[] {
  if (wanted.length > 0 && wanted.every((part) => part.endsWith('.test.js') && existsSync(part))) return wanted
  return ['dist/src', 'dist/bench', 'dist/tools', 'dist/examples']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .sort()
}

/** Whether the name is that of a file: the runner reports a file itself only if no test in it was reported. */
function isFile(name: string): boolean {
  return files.some((file) => resolve(file) === resolve(name))
}

/** Describes the end of a process whose tests all passed or did not run. */
function endOf(error: Error): string {
  const { exitCode, signal } = error as { readonly exitCode?: number; readonly signal?: string | null }
  return `its process ended with ${signal ? `signal ${signal}` : `exit code ${exitCode}`}, but no failed test was reported`
}

function fail(name: string, file: string | undefined, error: unknown): void {
  failed.push(name)
  console.error(`\n✗ ${name}\n  ${file ?? ''}`)
  console.error(error instanceof Error ? (error.stack ?? error.message) : error)
}
