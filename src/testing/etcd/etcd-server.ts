import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEtcdCertificates, type EtcdCertificates } from './etcd-certificates.js'
import { EtcdMember } from './etcd-member.js'
import { etcdProgram } from './etcd-package.js'

export interface EtcdServerOptions {
  /** Default: 1. */
  readonly members?: number
  /** Clients must show a certificate. */
  readonly tls?: boolean
  /** Further arguments of etcd. */
  readonly flags?: readonly string[]
}

/** A real etcd cluster on loopback addresses and in a temporary folder. Tests can kill its members. */
export class EtcdServer implements AsyncDisposable {
  readonly members: readonly EtcdMember[]
  readonly certificates: EtcdCertificates | undefined
  readonly #folder: string
  readonly #atExit: () => void

  private constructor(folder: string, members: readonly EtcdMember[], certificates: EtcdCertificates | undefined) {
    this.#folder = folder
    this.members = members
    this.certificates = certificates
    this.#atExit = () => {
      for (const member of members) member.killNow()
      rmSync(folder, { recursive: true, force: true })
    }
    process.on('exit', this.#atExit)
  }

  /** Resolves when all members are healthy and have a leader. */
  static async start({ members: count = 1, tls = false, flags = [] }: EtcdServerOptions = {}): Promise<EtcdServer> {
    const program = await etcdProgram()
    if ('missing' in program) throw new Error(program.missing)
    const folder = await mkdtemp(join(tmpdir(), 'proa-etcd-data-'))
    const hosts = Array.from({ length: count }, (_, index) => ({ name: `member-${index}`, ...nextHost() }))
    const addresses = hosts.map(({ address }) => address)
    const certificates = tls ? await createEtcdCertificates(folder, addresses) : undefined
    const peers = hosts.map(({ name, address, peerPort }) => `${name}=http://${address}:${peerPort}`).join(',')
    const members = hosts.map(
      (host) => new EtcdMember({ ...host, program: program.path, folder, peers, certificates, flags }),
    )
    const server = new EtcdServer(folder, members, certificates)
    try {
      await Promise.all(members.map((member) => member.start()))
      return server
    } catch (error) {
      await server.close()
      throw error
    }
  }

  /** The values of the API server's etcd flags. */
  get connection(): { servers: string[]; cafile?: string; certfile?: string; keyfile?: string } {
    const servers = this.members.map((member) => member.clientUrl)
    if (!this.certificates) return { servers }
    return { servers, cafile: this.certificates.cafile, ...this.certificates.client }
  }

  async leader(): Promise<EtcdMember> {
    for (;;) {
      for (const member of this.members) if (await member.isLeader()) return member
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async close(): Promise<void> {
    process.off('exit', this.#atExit)
    await Promise.all(this.members.map((member) => member.kill()))
    await rm(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** Returns why tests with a real etcd cannot run here, or false: for `{ skip }` of a test. */
export async function etcdMissing(): Promise<string | false> {
  const program = await etcdProgram()
  return 'missing' in program ? program.missing : false
}

let hosts = 0

/**
 * All of 127.0.0.0/8 is local. Each test process derives its own addresses from its process id, so that it never has to look for a free
 * port.
 */
function nextHost(): {
  readonly address: string
  readonly clientPort: number
  readonly peerPort: number
  readonly statusPort: number
} {
  const index = hosts++
  const id = process.pid % (1 << 22)
  const address = `127.${64 + (id >> 16)}.${(id >> 8) & 255}.${id & 255}`
  const clientPort = 23790 + index * 3
  return { address, clientPort, peerPort: clientPort + 1, statusPort: clientPort + 2 }
}
