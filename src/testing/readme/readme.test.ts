import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { kubectlMissing } from '../kubectl/kubectl.js'
import { type FreshClone, freshClone, freshCloneMissing, repository } from './fresh-clone.test.kit.js'
import { shellBlocks, withoutRemark } from './marked-lines.js'
import { type LineResult, ShellSession } from './shell-session.js'
import { shownLines } from './terminal-picture.js'

const skip = await freshCloneMissing()

/** What a reader sees, line by line; the same line may stand there more than once. */
const expected: readonly (readonly [line: RegExp, output: RegExp])[] = [
  [
    /^\.\/proa up /,
    /control plane +https:\S+, after .*\n {2}node +\S+: containerd .*\n {2}kubeconfig +\S+\/home\/\.kube/,
  ],
  [/^alias /, /^$/],
  [/^kubectl create deployment /, /^deployment.apps\/hello created\n$/],
  [/^kubectl expose /, /^service\/hello exposed\n$/],
  [/^kubectl run /, /^service\/hello created\ndeployment.apps\/hello created\n$/],
  [/^kubectl rollout status /, /deployment "hello" successfully rolled out\n$/],
  [/^kubectl get pods -o wide$/, /^NAME .*\n(hello-\S+ +1\/1 +Running +0 +\S+ +10\.\d+\.\d+\.\d+ .*\n){3}$/],
  [/^curl /, /^(Hello|Ahoy) from hello-\S+\n$/],
  [/^kubectl logs /, /listening on port 80\n/],
  [/^kubectl exec /, /^hello-\S+\n$/m],
  [/^kubectl describe /, /Replicas: +3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable/],
  [/^kubectl scale /, /^deployment.apps\/hello scaled\n$/],
  [/^kubectl set image /, /^deployment.apps\/hello image updated\n$/],
  [/^kubectl rollout undo /, /^deployment.apps\/hello rolled back\n$/],
  [/^kubectl get deployments,/, /deployment.apps\/hello +5\/5 +5 +5 /],
  [/^kubectl delete /, /^deployment.apps "hello" deleted.*\nservice "hello" deleted.*\n$/],
  [/^\.\/proa status$/, /nodes +1 of 1 ready\n/],
  [/^\.\/proa reset --yes$/, /^Deleted the cluster proa\.\n$/],
]

describe('the README, line by line, in a fresh clone', { skip }, () => {
  const blocks = shellBlocks(readFileSync(join(repository, 'README.md'), 'utf8'))
  const lines = blocks.flat()
  const results: LineResult[] = []
  let clone: FreshClone
  let shell: ShellSession

  before(async () => {
    clone = await freshClone()
    shell = new ShellSession(clone.folder, clone.env)
  })
  after(async () => {
    await shell.close()
    assert.deepEqual(await clone.end(), [])
  })

  async function type(line: string): Promise<LineResult> {
    const result = await shell.type(line)
    assert.equal(result.code, 0, result.output)
    const patterns = expected.filter(([pattern]) => pattern.test(withoutRemark(line)))
    assert.ok(patterns.length > 0, 'nobody says what is to come of this line')
    for (const [, output] of patterns) assert.match(result.output, output)
    return result
  }

  for (const line of lines)
    test(withoutRemark(line), async () => {
      results.push(await type(line))
    })

  test('another version was there in between', () => {
    const answers = results.filter(({ line }) => line.startsWith('curl')).map(({ output }) => output.split(' ')[0])
    assert.deepEqual(answers, ['Hello', 'Ahoy'])
  })

  test('nothing is expected of lines that nobody reads', () => {
    const typed = lines.map(withoutRemark)
    for (const [pattern] of expected)
      assert.ok(
        typed.some((line) => pattern.test(line)),
        String(pattern),
      )
  })

  test('the picture of the terminal shows what one sees', () => {
    const seen = new Set(
      results.flatMap(({ line, output }) => [`$ ${withoutRemark(line)}`, ...output.split('\n')]).map(likeness),
    )
    for (const line of shownLines(readFileSync(join(repository, 'docs/terminal.svg'), 'utf8')))
      assert.ok(seen.has(likeness(line)), `nobody has seen this: ${line}`)
  })

  describe('with the kubectl that a reader has', { skip: kubectlMissing() }, () => {
    before(async () => {
      await shell.close()
      shell = new ShellSession(clone.folder, clone.env)
    })
    const isOnlyOurs = (line: string) => /^kubectl run .*--replicas/.test(line)
    const forAny = blocks.filter((block) => !block.some(isOnlyOurs)).flat()
    for (const line of forAny.filter((each) => !each.startsWith('alias ')))
      test(withoutRemark(line), async () => {
        await type(line)
      })
  })
})

/** What two lines have in common that differ in numbers, names that were made up, and places. */
function likeness(line: string): string {
  return line
    .replace(/hello-[0-9a-z]+-[0-9a-z]{5}/g, 'POD')
    .replace(/(\/[\w.-]+)+/g, 'PATH')
    .replace(/node +\S+:/, 'node NAME:')
    .replace(/Running .*/, 'Running')
    .replace(/containerd [\w.~+]+/, 'containerd VERSION')
    .replace(/\d+/g, '0')
    .replace(/\s+/g, ' ')
    .trim()
}
