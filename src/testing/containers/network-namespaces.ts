import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findProgram, outputOf, runProgram } from '../../base/programs.js'
import { systemRandom } from '../../base/random.js'

/** Returns why tests with network namespaces cannot run here, or false if they can. For `{ skip: namespacesMissing() }`. */
export function namespacesMissing(): string | false {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const missing = ['ip', 'nft'].filter((program) => findProgram(program) === undefined)
  return missing.length > 0 ? `there is no ${missing.join(' and no ')} on this host` : false
}

export type NamespaceRole = 'host' | 'pod' | 'stranger'
export type TransportProtocol = 'tcp' | 'udp'

/**
 * Three network namespaces: a pod, its host as gateway, and a stranger as the host's gateway. The stranger owns every address of the service
 * ranges and responds on one port, so that every packet that leaves the host is answered and counted.
 */
export class NetworkNamespaces implements AsyncDisposable {
  static readonly serviceRanges = ['10.96.0.0/16', 'fd00:10:96::/112'] as const
  /** An address of each range. */
  static readonly services = ['10.96.0.1', 'fd00:10:96::1'] as const
  /** The stranger's own addresses. */
  static readonly outside = ['198.51.100.2', '2001:db8:51::2'] as const
  static readonly port = 8443

  readonly #mark = `proa-${systemRandom().uuid().slice(0, 6)}`
  readonly #servers: ChildProcess[] = []

  static async make(): Promise<NetworkNamespaces> {
    const made = new NetworkNamespaces()
    await made.#make().catch(async (error: unknown) => {
      await made.close()
      throw error
    })
    return made
  }

  name(role: NamespaceRole): string {
    return `${this.#mark}-${role}`
  }

  /** The command that runs another one in a namespace. */
  inside(role: NamespaceRole): readonly [string, ...string[]] {
    return [findProgram('ip')!, 'netns', 'exec', this.name(role)]
  }

  /** Runs a program in a namespace and returns its output. */
  run(role: NamespaceRole, [program, ...args]: readonly string[], input = ''): Promise<string> {
    const [ip, ...before] = this.inside(role)
    return outputOf({ program: ip, args: [...before, program!, ...args], input })
  }

  /** Runs `ip` in a namespace with the words of `line`. */
  async ip(role: NamespaceRole, line: string): Promise<void> {
    await outputOf({ program: findProgram('ip')!, args: ['-n', this.name(role), ...line.split(' ')] })
  }

  /** Returns the name of the server that responds, or the client's error code: `stranger`, `ECONNREFUSED`. */
  async call(
    from: NamespaceRole,
    to: { readonly address: string; readonly protocol?: TransportProtocol; readonly source?: string },
  ) {
    const { address, protocol = 'tcp', source = '' } = to
    const script = protocol === 'tcp' ? tcpClient : udpClient
    const port = String(NetworkNamespaces.port)
    return (await this.run(from, [process.execPath, '-e', script, address, port, source])).trim()
  }

  /** Starts a server that responds with its name: over TCP at every address, over UDP at the given addresses. */
  async serve(role: NamespaceRole, udpAddresses: readonly string[] = []): Promise<void> {
    const [ip, ...before] = this.inside(role)
    const args = [...before, process.execPath, '-e', server, role, String(NetworkNamespaces.port), ...udpAddresses]
    const child = spawn(ip, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#servers.push(child)
    await once(child.stdout!, 'data')
  }

  /** Returns the number of packets to service addresses that reached the stranger. */
  async escaped(): Promise<number> {
    const text = await this.run('stranger', ['nft', '--json', 'list', 'counters'])
    const { nftables } = JSON.parse(text) as {
      readonly nftables: readonly { readonly counter?: { packets: number } }[]
    }
    return nftables.reduce((sum, { counter }) => sum + (counter?.packets ?? 0), 0)
  }

  async close(): Promise<void> {
    for (const child of this.#servers) {
      const ended = once(child, 'close')
      child.kill()
      await ended
    }
    // Ignores errors: a namespace that was never created cannot be deleted.
    for (const role of ['pod', 'host', 'stranger'] as const)
      await runProgram({ program: findProgram('ip')!, args: ['netns', 'delete', this.name(role)] })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #make(): Promise<void> {
    for (const role of ['stranger', 'host', 'pod'] as const) {
      await outputOf({ program: findProgram('ip')!, args: ['netns', 'add', this.name(role)] })
      await this.ip(role, 'link set lo up')
    }
    await this.#cable('host', 'stranger', ['198.51.100.1/30 198.51.100.2/30', '2001:db8:51::1/64 2001:db8:51::2/64'])
    await this.#cable('pod', 'host', ['10.244.0.2/24 10.244.0.1/24', 'fd00:10:244::2/64 fd00:10:244::1/64'])
    for (const setting of ['net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1'])
      await this.run('host', ['sysctl', '-qw', setting])
    for (const gateway of ['198.51.100.2', '2001:db8:51::2']) await this.ip('host', `route add default via ${gateway}`)
    for (const gateway of ['10.244.0.1', 'fd00:10:244::1']) await this.ip('pod', `route add default via ${gateway}`)
    await this.ip('stranger', 'route add 10.244.0.0/24 via 198.51.100.1')
    await this.ip('stranger', 'route add fd00:10:244::/64 via 2001:db8:51::1')
    for (const range of NetworkNamespaces.serviceRanges) await this.ip('stranger', `route add local ${range} dev lo`)
    await this.run('stranger', ['nft', '-f', '-'], spyRules(NetworkNamespaces.serviceRanges))
    for (const address of NetworkNamespaces.services) await this.ip('stranger', `address add ${address} dev lo`)
    await this.serve('stranger', NetworkNamespaces.services)
  }

  /** Connects two namespaces. Each pair has the addresses of both ends. */
  async #cable(from: NamespaceRole, to: NamespaceRole, pairs: readonly string[]): Promise<void> {
    await this.ip(from, `link add ${to} type veth peer name ${from} netns ${this.name(to)}`)
    for (const pair of pairs) {
      const [near, far] = pair.split(' ')
      const option = near!.includes(':') ? ' nodad' : ''
      await this.ip(from, `address add ${near} dev ${to}${option}`)
      await this.ip(to, `address add ${far} dev ${from}${option}`)
    }
    await this.ip(from, `link set ${to} up`)
    await this.ip(to, `link set ${from} up`)
  }
}

function spyRules([v4, v6]: readonly [string, string]): string {
  return `table inet spy {
  counter escaped { }
  chain arriving {
    type filter hook prerouting priority raw; policy accept;
    iifname "lo" return
    ip daddr ${v4} counter name escaped
    ip6 daddr ${v6} counter name escaped
  }
}\n`
}

const server = `
const { createServer } = require('node:net')
const { createSocket } = require('node:dgram')
const [name, port, ...addresses] = process.argv.slice(1)
const listening = addresses.map((address) => new Promise((resolve) => {
  const udp = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  udp.on('message', (_, client) => udp.send(name, client.port, client.address))
  udp.bind(Number(port), address, resolve)
}))
listening.push(new Promise((resolve) => {
  createServer((socket) => socket.end(name)).listen(Number(port), '::', resolve)
}))
Promise.all(listening).then(() => console.log('ready'))`

/** Prints "silence" after 20 seconds, so that a test cannot hang. */
const timeout = 'setTimeout(() => { console.log("silence"); process.exit() }, 20000)'

const tcpClient = `
const [host, port, localAddress] = process.argv.slice(1)
const socket = require('node:net').connect({ host, port: Number(port), ...(localAddress && { localAddress }) })
const done = (text) => { console.log(text); process.exit() }
socket.on('data', (data) => done(String(data))).on('error', ({ code }) => done(code))
${timeout}`

const udpClient = `
const [host, port] = process.argv.slice(1)
const socket = require('node:dgram').createSocket(host.includes(':') ? 'udp6' : 'udp4')
const done = (text) => { console.log(text); process.exit() }
socket.on('message', (data) => done(String(data))).on('error', ({ code }) => done(code))
const hello = () => socket.send('hello', (error) => error && done(error.code))
socket.connect(Number(port), host, () => setInterval(hello, 20))
${timeout}`
