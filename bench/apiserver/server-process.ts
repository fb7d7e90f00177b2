/** The servers that are measured, each in a process of its own. */
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
  /** From the start of the process to its first answer, in milliseconds. */
  readonly readyAfter: number
  /** CPU time so far, in microseconds. */
  cpu(): number
  /** Resident memory, in megabytes. */
  memory(): number
  stop(): Promise<void>
}

const bareProgram = fileURLToPath(new URL('./bare-server.js', import.meta.url))

/** A server with its data in `folder`; what is there from an earlier start is used again. */
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

/** With the certificate of an API server whose data is in `folder`, so that TLS costs the same. */
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
  while ((await ask(url, { path: '/readyz' })).code !== 200) await new Promise((resolve) => setTimeout(resolve, 5))
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** Linux counts in hundredths of a second, whatever its timer does. */
const tick = 10_000

/** CPU time of a process so far, in microseconds. */
export function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tick
}

export interface Question {
  readonly path: string
  readonly method?: string
  readonly content?: object
  readonly type?: string
  /** Of the administrator unless told. */
  readonly as?: string
}

export interface Reply {
  readonly code: number
  readonly bytes: Buffer
}

/** One request on a connection that Node's own agent keeps. */
export function ask(url: string, { path, method = 'GET', content, type, as = adminToken }: Question): Promise<Reply> {
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

/** The same, where nothing but success will do. */
export async function demand(url: string, question: Question): Promise<Buffer> {
  const { code, bytes } = await ask(url, question)
  if (code >= 300) throw new Error(`${question.method ?? 'GET'} ${question.path}: ${code} ${bytes.subarray(0, 400)}`)
  return bytes
}
