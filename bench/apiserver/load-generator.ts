/** Sends as many requests as sixteen connections carry, with `wrk` if it is installed, otherwise with our own worker. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { adminToken } from '../../src/testing/servers/server-folder.js'

export interface Load {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** An at sign in it is replaced by a number that no other request of this run has. */
  readonly body?: string
}

/** The input of the worker. */
export interface WorkerLoad extends Load {
  readonly connections: number
  readonly seconds: number
  readonly firstNumber: number
  /** By default the administrator's. */
  readonly as?: string
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
}

const connections = 16
const run = promisify(execFile)
/** Numbers continue from one load to the next, so that no name is used twice. */
let numbers = 0

export async function load(given: Load, seconds: number): Promise<LoadResult> {
  const firstNumber = numbers
  numbers += 1_000_000
  const measured = (await hasWrk())
    ? await wrkLoad(given, seconds, firstNumber)
    : await workerLoad({ ...given, connections, seconds, firstNumber })
  if (measured.refused > 0)
    throw new Error(`${given.method} ${given.path}: ${measured.refused} of ${measured.requests} were refused`)
  return { requests: measured.requests, perSecond: measured.requests / measured.seconds }
}

interface LoadMeasurement {
  readonly requests: number
  readonly refused: number
  readonly seconds: number
}

let wrkFound: Promise<boolean> | undefined

function hasWrk(): Promise<boolean> {
  wrkFound ??= run('wrk', ['--version']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
  return wrkFound
}

async function wrkLoad(
  { url, method, path, body }: Load,
  seconds: number,
  firstNumber: number,
): Promise<LoadMeasurement> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-wrk-'))
  const script = join(folder, 'load.lua')
  const parts = body?.split('@').map((part) => `[[${part}]]`)
  writeFileSync(
    script,
    `local n = ${firstNumber}
local headers = { ["authorization"] = "Bearer ${adminToken}", ["content-type"] = "application/json", ["accept"] = "application/json" }
request = function() n = n + 1 return wrk.format("${method}", "${path}", headers${parts ? `, ${parts.join('..n..')}` : ''}) end`,
  )
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url])
  rmSync(folder, { recursive: true })
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0)
  const requests = number(/(\d+) requests in/)
  return { requests, refused: number(/Non-2xx[^:]*: (\d+)/), seconds: requests / number(/Requests\/sec:\s+([\d.]+)/) }
}

function workerLoad(given: WorkerLoad): Promise<LoadMeasurement> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load-worker.js', import.meta.url), { workerData: given })
    worker.once('message', resolve).once('error', reject)
  })
}
