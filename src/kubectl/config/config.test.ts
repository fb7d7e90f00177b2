import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { KubectlRun } from '../../testing/kubectl/kubectl.js'
import { comparisonSuite, type KubectlComparison, words } from '../comparison.test.kit.js'

/** Runs both with equal copies of a kubeconfig and compares output and file after each line. */
class Twins {
  readonly #both: KubectlComparison
  readonly #files: readonly [string, string]

  constructor(both: KubectlComparison, content: string) {
    this.#both = both
    this.#files = [both.file('real.yaml', content), both.file('ours.yaml', content)]
  }

  async sameLines(lines: string): Promise<void> {
    for (const line of lines.split('\n').map((each) => each.trim())) if (line !== '') await this.#same(words(line))
  }

  async #same(args: readonly string[]): Promise<void> {
    const [realFile, ownFile] = this.#files
    const real = await this.#both.real(args, { variables: { KUBECONFIG: realFile } })
    const own = await this.#both.ours(args, { variables: { KUBECONFIG: ownFile } })
    const line = `kubectl ${args.join(' ')}`
    assert.deepEqual(this.#calm(own), this.#calm(real), line)
    assert.equal(this.#content(ownFile), this.#content(realFile), `the file after ${line}`)
  }

  /** Help texts are our own, so only their presence is compared. */
  #calm({ code, stdout, stderr }: KubectlRun): KubectlRun {
    const said = stdout.includes('Use "kubectl options"') ? 'HELP' : this.#text(stdout)
    return { code, stdout: said.startsWith('NAME\n') ? inOrder(said) : said, stderr: this.#text(stderr) }
  }

  #content(file: string): string {
    return this.#text(readFileSync(file, 'utf8'))
  }

  #text(text: string): string {
    const [real, own] = this.#both.namespaces
    return text
      .replaceAll(/(real|ours)\.yaml/g, 'FILE')
      .replaceAll(real, 'NAMESPACE')
      .replaceAll(own, 'NAMESPACE')
  }
}

/** Upstream prints names of clusters and users in random order. */
function inOrder(text: string): string {
  return text.split('\n').sort().join('\n')
}

const kubeconfig = `
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://x", certificate-authority: ca.crt}}, {name: d, cluster: {server: "https://y", certificate-authority-data: YWJj}}]
users:
- {name: u, user: {client-certificate: sub/c.crt, client-key: /abs/k, token: secret, tokenFile: tok}}
- {name: v, user: {exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: plugin}}}
- {name: w, user: {client-certificate-data: YWJj, client-key-data: YWJj, username: a, password: b}}
contexts: [{name: k, context: {cluster: c, user: u}}, {name: l, context: {cluster: nosuch, user: u}}, {name: m, context: {cluster: c, user: nosuch}}, {name: other, context: {cluster: d, user: w, namespace: x}}]
current-context: k
`

comparisonSuite('our kubectl config', {
  'shows a kubeconfig as the original does': (both) =>
    new Twins(both, kubeconfig).sameLines(`
      config view
      config view -o json
      config view --raw
      config view --minify
      config view --minify --context=other
      config view --minify --context=other --flatten
      config view --flatten
      config view --minify --context=l
      config view --minify --context=m
      config view --minify --context=nosuch
      config view --merge=false
      config view -o jsonpath={.users[*].name}
      config view -o name
      config view -o foo
      config view foo
      config view --kubeconfig=nosuch
      config current-context
      config get-contexts
      config get-contexts -o name
      config get-contexts --no-headers
      config get-contexts k other
      config get-contexts nosuch
      config get-contexts k nosuch zz
      config get-contexts -o json
      config get-clusters
      config get-users
      config nosuch
    `),
  'changes contexts as the original does': (both) =>
    new Twins(both, kubeconfig).sameLines(`
      config set-context x --cluster=a --user=b --namespace=c
      config set-context x --namespace=d
      config set-context x --namespace=
      config set-context --current --namespace=zz
      config set-context
      config set-context a b
      config set-context a --current
      config use-context nosuch
      config use-context x
      config use-context
      config use l
      config rename-context l why
      config rename-context nosuch z
      config rename-context why k
      config rename-context why
      config delete-context why
      config delete-context why
      config current-context
      config unset current-context
      config current-context
      config delete-context
    `),
  'changes clusters and users as the original does': (both) => {
    const certificate = both.file('a.crt', 'certificate')
    return new Twins(both, kubeconfig).sameLines(`
      config set-cluster e --server=https://1.2.3.4 --certificate-authority=/nosuch --embed-certs
      config set-cluster e --server=https://1.2.3.4 --tls-server-name=n
      config set-cluster e --insecure-skip-tls-verify
      config set-cluster e --certificate-authority=${certificate}
      config set-cluster e --certificate-authority=${certificate} --embed-certs
      config set-cluster e --server=foo --proxy-url=http://p
      config set-cluster d --insecure-skip-tls-verify
      config set-cluster c --embed-certs
      config set-cluster c --certificate-authority=a --insecure-skip-tls-verify
      config set-cluster
      config delete-cluster e
      config delete-cluster e
      config delete-cluster a b
      config set-credentials p --token=abc
      config set-credentials p --username=a --password=b
      config set-credentials p --token=x --username=a
      config set-credentials p --client-certificate=${certificate}
      config set-credentials p --client-certificate=${certificate} --client-key=${certificate} --embed-certs
      config set-credentials p --client-certificate=nosuch --embed-certs
      config set-credentials p --embed-certs
      config set-credentials p --token=def
      config set-credentials q --exec-command=foo --exec-api-version=client.authentication.k8s.io/v1 --exec-arg=a --exec-arg=b --exec-env=A=b
      config set-credentials q --exec-env=C=d
      config set-credentials q --exec-env=A- --exec-env=E=f --exec-interactive-mode=Never --exec-provide-cluster-info
      config set-credentials q --exec-command=bar
      config set-credentials q --exec-env=foo
      config set-credentials r --auth-provider=gcp --auth-provider-arg=a=b --auth-provider-arg=c=d
      config set-credentials r --auth-provider=gcp --auth-provider-arg=a-
      config set-credentials r --auth-provider-arg=foo
      config delete-user p
      config delete-user p
      config delete-user
    `)
  },
  'sets single values as the original does': (both) =>
    new Twins(both, kubeconfig).sameLines(`
      config set current-context foo
      config set clusters.x.server https://a
      config set clusters.x.certificate-authority-data abc
      config set clusters.x.certificate-authority-data abc --set-raw-bytes
      config set clusters.x.certificate-authority-data YWJj
      config set clusters.x.insecure-skip-tls-verify foo
      config set clusters.x.insecure-skip-tls-verify true
      config set contexts.q.namespace foo
      config set users.z.username bob
      config set users.a.b.c.token x
      config set users.z.tokenFile /x
      config set users.z.client-key-data YWJj
      config set users.z.exec.command a
      config set preferences.colors true
      config set kind foo
      config set nosuch.a b
      config set a
      config unset users.a.b.c
      config unset users.z.username
      config unset users.v.exec
      config unset users.nosuch.token
      config unset contexts.nosuch
      config unset nosuch
      config unset current-context
      config unset clusters
      config unset
    `),
})
