/** Starts the measured servers, each in its own process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiServerProcess } from '../../src/testing/processes/api-server-process.js'
import { eachLine } from '../../src/testing/processes/process-log.js'
import { adminToken } from '../../src/testing/servers/server-folder.js'

export interface MeasuredServer {
  readonly url: string
  /** Milliseconds from the start of the process to its first response. */
  readonly readyAfter: number
  /** CPU time so far, in microseconds. */
  cpu(): number
  /** Resident memory, in megabytes. */
  memory(): number
  stop(): Promise<void>
}

const bareProgram = fileURLToPath(new URL('./bare-server.js', import.meta.url))

/** Starts an API server with its data in `folder`, which may have data of an earlier start. */
export async function startApiServer(folder: string, tokens: readonly string[] = []): Promise<MeasuredServer> {
  const begun = performance.now()
  const server = await ApiServerProcess.start({ folder, tokens })
  await untilReady(server.url)
  const stop = async () => {
    await server.end('SIGTERM')
    await server.close()
  }
  return { url: server.url, readyAfter: performance.now() - begun, ...measuresOf(server.pid), stop }
}

/** Starts a bare server with the certificate of the API server in `folder`, so that TLS costs the same. */
export async function startBareServer(folder: string): Promise<MeasuredServer> {
  const file = (name: string) => join(folder, 'pki', name)
  const begun = performance.now()
  const args = [bareProgram, file('apiserver.key'), file('apiserver.crt')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = `https://127.0.0.1:${(await firstLine(child)).trim()}`
  return { url, readyAfter: performance.now() - begun, ...measuresOf(child.pid!), stop: () => stop(child) }
}

function measuresOf(pid: number): Pick<MeasuredServer, 'cpu' | 'memory'> {
  const status = () => readFileSync(`/proc/${pid}/status`, 'utf8')
  return { cpu: () => cpuOf(pid), memory: () => Number(/VmRSS:\s+(\d+)/.exec(status())![1]) / 1024 }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    eachLine(child.stdout!, resolve)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it served`)))
  })
}

async function untilReady(url: string): Promise<void> {
  while ((await send(url, { path: '/readyz' })).code !== 200) await new Promise((resolve) => setTimeout(resolve, 5))
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** Linux reports CPU time in hundredths of a second, in microseconds. */
const tick = 10_000

/** Returns the CPU time of a process so far, in microseconds. */
export function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tick
}

export interface TestRequest {
  readonly path: string
  readonly method?: string
  readonly content?: object
  readonly type?: string
  /** The bearer token. By default the administrator's. */
  readonly as?: string
}

export interface TestResponse {
  readonly code: number
  readonly bytes: Buffer
}

/** Sends one request on a connection of Node's default agent. */
export function send(
  url: string,
  { path, method = 'GET', content, type, as = adminToken }: TestRequest,
): Promise<TestResponse> {
  const headers = { authorization: `Bearer ${as}`, 'content-type': type ?? 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ code: response.statusCode!, bytes: Buffer.concat(chunks) }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(content && JSON.stringify(content))
  })
}

/** Sends one request. Rejects if the response is not a success. */
export async function sendSuccessfully(url: string, request: TestRequest): Promise<Buffer> {
  const { code, bytes } = await send(url, request)
  if (code >= 300) throw new Error(`${request.method ?? 'GET'} ${request.path}: ${code} ${bytes.subarray(0, 400)}`)
  return bytes
}
