import { repeated, text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { generator, noTimestamp, numberOrText } from './generator.js'

export const createIngress = generator({
  usage: 'NAME --rule=host/path=service:port[,tls[=secret]] [options]',
  about: 'Create an ingress with the given name.',
  examples: [
    "kubectl create ingress web --rule='web.example.com/*=web:80,tls=web-certificate'",
    'kubectl create ingress all --class=public --default-backend=web:http',
  ],
  flags: {
    annotation: repeated('Annotations: key=value'),
    class: text('Class of the ingress'),
    'default-backend': text('Backend for requests that match no rule: service:port'),
    rule: repeated('host/path=service:port[,tls[=secret]]; * at the end of the path matches any suffix'),
  },
  failure: 'failed to create ingress: ',
  build: ({ flags }, name) => {
    const { class: className, 'default-backend': backend } = flags
    check(flags)
    const rules = flags.rule.map(readRule)
    const annotations = Object.fromEntries(flags.annotation.map(readAnnotation))
    const tls = tlsOf(rules)
    return {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { ...(flags.annotation.length > 0 && { annotations }), ...noTimestamp, name },
      spec: {
        ...(backend !== '' && { defaultBackend: backendOf(backend) }),
        ...(className !== '' && { ingressClassName: className }),
        ...(rules.length > 0 && { rules: rulesOf(rules) }),
        ...(tls.length > 0 && { tls }),
      },
      status: { loadBalancer: {} },
    }
  },
})

interface IngressFlags {
  readonly rule: readonly string[]
  readonly annotation: readonly string[]
  readonly 'default-backend': string
}

interface Rule {
  readonly host: string
  readonly path: string
  readonly backend: string
  /** Undefined without TLS; '' for TLS without a named secret. */
  readonly secret: string | undefined
}

const ruleForm = /^([\w*.-]*)\/([^,=\n]*)=([\w-]+:[\w-]+)(?:,tls=?([\w-]*))?$/

function check({ rule, annotation, 'default-backend': backend }: IngressFlags): void {
  if (backend === '' && rule.length === 0)
    throw new Error(
      'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
    )
  const odd = rule.find((each) => !ruleForm.test(each))
  if (odd !== undefined)
    throw new Error(`rule ${odd} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`)
  const bare = annotation.find((each) => !each.includes('='))
  if (bare !== undefined) throw new Error(`annotation ${bare} is invalid and should be in format key=[value]`)
  if (backend !== '' && backend.split(':').length !== 2)
    throw new Error('default-backend should be in format servicename:serviceport')
}

function readAnnotation(given: string): readonly [string, string] {
  const at = given.indexOf('=')
  return [given.slice(0, at), given.slice(at + 1)]
}

function readRule(given: string): Rule {
  const [, host = '', path = '', backend = '', secret = ''] = ruleForm.exec(given)!
  return { host, path: `/${path}`, backend, secret: given.includes(',') ? secret : undefined }
}

function backendOf(given: string): JsonObject {
  const [name = '', port = ''] = given.split(':')
  const number = numberOrText(port)
  return { service: { name, port: typeof number === 'number' ? { number } : { name: number } } }
}

/** Groups the rules by host. */
function rulesOf(rules: readonly Rule[]): readonly JsonObject[] {
  const hosts = new Map<string, JsonObject[]>()
  for (const { host, path, backend } of rules) {
    const isPrefix = path.endsWith('*')
    const entry = {
      backend: backendOf(backend),
      path: isPrefix ? path.slice(0, -1) : path,
      pathType: isPrefix ? 'Prefix' : 'Exact',
    }
    hosts.set(host, [...(hosts.get(host) ?? []), entry])
  }
  return [...hosts].map(([host, paths]) => ({ ...(host !== '' && { host }), http: { paths } }))
}

/** Groups the hosts by secret. Each host counts once, with its first secret. */
function tlsOf(rules: readonly Rule[]): readonly JsonObject[] {
  const seen = new Set<string>()
  const secrets = new Map<string, string[]>()
  for (const { host, secret } of rules) {
    if (secret === undefined || seen.has(host)) continue
    seen.add(host)
    const hosts = secrets.get(secret)
    if (hosts) hosts.push(host)
    else if (host !== '' || secret !== '') secrets.set(secret, host === '' ? [] : [host])
  }
  return [...secrets].map(([secret, hosts]) => ({
    ...(hosts.length > 0 && { hosts }),
    ...(secret !== '' && { secretName: secret }),
  }))
}
