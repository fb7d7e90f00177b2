import assert from 'node:assert/strict'
import type { JsonObject } from '../../schema/declaration.js'
import { comparisonSuite, words } from '../comparison.test.kit.js'
import { configMap, editBoth, sameNow, sed } from './edit.test.kit.js'

const deployment: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          { name: 'main', image: 'nginx' },
          { name: 'side', image: 'busybox' },
        ],
      },
    },
  },
}

comparisonSuite('kubectl edit', {
  'what is changed in the editor is changed on the server, and nothing else': async (both) => {
    await both.given(configMap('one'), deployment)
    const { stdout, seen, left } = await editBoth(both, ['edit', 'configmap/one'], [sed('s/green/red/')])
    assert.equal(stdout, 'configmap/one edited\n')
    assert.match(seen[0]!, /^# Please edit the object below\. Lines beginning with a '#' will be ignored,\n/)
    assert.doesNotMatch(seen[0]!, /managedFields/)
    assert.deepEqual(left, [])
    assert.match(await sameNow(both, 'cm', 'one'), /color: red/)
    const patch = await editBoth(both, ['edit', 'deploy', 'web', '--output-patch'], [sed('s/nginx/nginx:1.27/')])
    assert.match(patch.stdout, /^Patch: \{"spec":.*"containers":\[\{"image":"nginx:1\.27","name":"main"\}\]/)
    await editBoth(both, ['edit', 'deploy/web', '--output-patch'], [sed('/busybox/,/Policy: File/d')])
    await sameNow(both, 'deploy', 'web')
  },

  'nothing is sent where nothing was changed, or all was taken away': async (both) => {
    await both.given(configMap('one'))
    const { stderr, left } = await editBoth(both, ['edit', 'cm', 'one'], ['echo "# a note" >> "$1"'])
    assert.equal(stderr, 'Edit cancelled, no changes made.\n')
    assert.deepEqual(left, [])
    await editBoth(both, ['edit', 'cm', 'one'], [': > "$1"'])
    const empty = await editBoth(both, ['edit', 'cm', 'one', '--validate=false'], ['echo "# nothing" > "$1"'])
    assert.equal(empty.stderr, 'Edit cancelled, saved file was empty.\n')
    assert.deepEqual(empty.left, [])
    await editBoth(both, ['edit', 'cm', 'one'], [sed('/namespace:/d')])
    await editBoth(both, ['edit', 'cm', 'one'], ['cp "$1" "$1.2"; (echo ---; cat "$1.2") >> "$1"; rm "$1.2"'])
    assert.match(await sameNow(both, 'cm', 'one'), /color: green/)
  },

  'what cannot be read is opened again with the reason, until it can': async (both) => {
    await both.given(configMap('one'))
    const steps = [sed('s/green/a: b/'), sed('s/a: b/blue/')]
    const { code, seen, left } = await editBoth(both, ['edit', 'cm', 'one'], steps)
    assert.equal(code, 0)
    assert.match(
      seen[1]!,
      /# \* <nil>: Invalid value: "The edited file failed validation": yaml: line 3: mapping values/,
    )
    assert.deepEqual(left, [])
    const lax = await editBoth(
      both,
      ['edit', 'cm', 'one', '--validate=ignore'],
      [sed('s/blue/a: b/'), sed('s/a: b/pink/')],
    )
    assert.match(lax.seen[1]!, /# The edited file had a syntax error: error parsing edited-file/)
    for (const text of ['kind: ConfigMap', 'apiVersion: a/b/c\\nkind: X', 'kind: 3', 'words', '{x: y', '- a', '3'])
      for (const validate of ['strict', 'ignore'])
        if (!(validate === 'ignore' && text.startsWith('{')))
          await editBoth(both, ['edit', 'cm', 'one', `--validate=${validate}`], [`printf -- '${text}\\n' > "$1"`])
    await editBoth(both, ['edit', 'cm', 'one'], [sed('s/kind: .*/kind: Nosuch/')])
    assert.match(await sameNow(both, 'cm', 'one'), /color: pink/)
  },

  'what the server refuses is opened again with what it said': async (both) => {
    await both.given(deployment, configMap('one'))
    const steps = [sed('s/replicas: 1/replicas: -1/'), sed('s/replicas: -1/replicas: 0/')]
    const { stderr, seen } = await editBoth(both, ['edit', 'deploy', 'web'], steps)
    assert.equal(stderr, 'error: deployments.apps "web" is invalid\n')
    assert.match(
      seen[1]!,
      /# deployments\.apps "web" was not valid:\n# \* spec\.replicas: Invalid value: -1: must be greater/,
    )
    await editBoth(both, ['edit', 'cm', 'one'], ['echo "colour: 3" >> "$1"', sed('/colour/d', 's/green/red/')])
    await editBoth(both, ['edit', 'cm', 'one', '--validate=warn'], ['echo "colour: 3" >> "$1"'])
    await sameNow(both, 'deploy,cm')
  },

  'who saves the same mistake twice is left with a copy of it': async (both) => {
    await both.given(deployment)
    const { code, stderr, left } = await editBoth(both, ['edit', 'deploy', 'web'], [sed('s/replicas: 1/replicas: -1/')])
    assert.equal(code, 1)
    assert.match(
      stderr,
      /A copy of your changes has been stored to "\/.*kubectl-edit-\d+\.yaml"\nerror: Edit cancelled, no valid/,
    )
    assert.ok(left.some((path) => stderr.includes(path)))
    await sameNow(both, 'deploy', 'web')
  },

  'several objects are one list, each of which is changed by itself': async (both) => {
    await both.given(configMap('one'), configMap('two', { color: 'blue' }), configMap('three', { color: 'grey' }))
    const { stdout, seen } = await editBoth(both, ['edit', 'cm', 'one', 'two'], [sed('s/blue/pink/')])
    assert.equal(stdout, 'configmap/one skipped\nconfigmap/two edited\n')
    assert.match(seen[0]!, /^kind: List\nmetadata: \{\}\n$/m)
    await editBoth(both, ['edit', 'cm', 'one', 'two', '-o', 'yaml'], [sed('s/pink/white/', 's/green/black/')])
    await editBoth(both, ['edit', 'cm', 'one', 'two'], [sed('s/white/3/', 's/black/red/'), sed('s/: 3$/: white/')])
    await editBoth(both, ['edit', 'cm', 'one', 'two'], [sed('/^- /,/uid:/d', 's/^items:/items: []/')])
    const added = await editBoth(
      both,
      ['edit', 'cm', 'one'],
      [
        `printf -- '---\\napiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: four}\\ndata: {n: [1, null, true]}\\n' >> "$1"; ${sed('s/red/blue/')}`,
      ],
    )
    assert.match(
      added.stderr,
      /error: no original object found for &unstructured\.Unstructured\{Object:map\[string\]interface \{\}/,
    )
    await editBoth(both, ['edit', 'secrets'], [])
    await sameNow(both, 'cm', 'one', 'two', 'three')
  },

  'objects can be named by files, and edited as JSON': async (both) => {
    await both.given(configMap('one'), deployment)
    const file = both.file('one.json', configMap('one', { color: 'of the file' }))
    await editBoth(both, ['edit', '-f', file], [sed('s/green/red/')])
    const { seen } = await editBoth(both, ['edit', '-f', file, '-o', 'json'], [sed('s/red/blue/')])
    assert.match(seen[0]!, /^\{\n {4}"apiVersion": "v1",/)
    await editBoth(
      both,
      ['edit', 'cm/one', 'deploy/web', '-o', 'json'],
      [sed('s/"blue"/7/'), sed('s/"color": 7/"color": "seven"/')],
    )
    await editBoth(both, ['edit', 'cm', 'one', '-o', 'json'], [sed('s/{/{ /')])
    const windows = await editBoth(
      both,
      ['edit', 'cm', 'one', '--windows-line-endings'],
      [sed('s/seven/8/'), sed('s/color: 8/color: eight/')],
    )
    assert.match(windows.seen[1]!, /ignored,\r\n(?:#.*\r\n)+apiVersion: v1\r\n/)
    await sameNow(both, 'cm', 'one')
  },

  'what was saved can be noted in annotations': async (both) => {
    await both.given(configMap('one'))
    await editBoth(both, ['edit', 'cm', 'one', '--save-config'], [sed('s/green/red/')])
    const { stdout } = await both.ours(['get', 'cm', 'one', '-o', 'yaml'])
    assert.match(
      stdout,
      /last-applied-configuration: \|\n\s+\{"apiVersion":"v1","data":\{"color":"red"\}.*"managedFields":/,
    )
    await editBoth(
      both,
      ['edit', 'cm', 'one', '--field-manager=me', '--show-managed-fields', '-o', 'yaml'],
      [sed('s/red/<\\&>/2')],
    )
    await both.ours(['edit', 'cm', 'one', '--record'], { variables: { KUBE_EDITOR: 'sed -i s/color/colour/' } })
    const recorded = await both.ours([
      'get',
      'cm',
      'one',
      '-o',
      'jsonpath={.metadata.annotations.kubernetes\\.io/change-cause}',
    ])
    assert.match(recorded.stdout, /^kubectl .*edit cm one --record$/)
  },

  'a part of an object can be edited by itself': async (both) => {
    await both.given(deployment)
    const { stdout } = await editBoth(
      both,
      ['edit', 'deploy', 'web', '--subresource=status', '--output-patch'],
      [sed('s/^status: .*/status: {replicas: 3}/', 's/nginx/other/')],
    )
    assert.match(stdout, /deployment\.apps\/web edited/)
    assert.doesNotMatch(await sameNow(both, 'deploy', 'web'), /image: other/)
    const scale = await editBoth(
      both,
      ['edit', 'deploy', 'web', '--subresource=scale'],
      [sed('s/replicas: 1/replicas: 2/')],
    )
    assert.match(
      scale.seen[1]!,
      /no matches for kind "Scale" in version "autoscaling\/v1"\n# ensure CRDs are installed first\n#\n/,
    )
    await editBoth(both, ['edit', 'deploy', 'web', '--subresource=nosuch'], [])
  },

  'what others did meanwhile is not undone, and what is in the way is told': async (both) => {
    await both.given(configMap('one'), configMap('two'))
    const old = await editBoth(both, ['edit', 'cm', 'one'], [sed('s/resourceVersion: .*/resourceVersion: "1"/')])
    assert.match(old.stderr, /^error: configmaps "one" could not be patched: Operation cannot be fulfilled/)
    assert.match(old.stderr, /You can run `kubectl replace -f \/.*\.yaml` to try this update again\.\n$/)
    assert.equal(old.left.length, 2)
    const namespace = `$(sed -n 's/^  namespace: //p' "$1")`
    const gone = await editBoth(
      both,
      ['edit', 'cm', 'two'],
      [`kubectl delete cm two -n ${namespace} > /dev/null; ${sed('s/green/red/')}`],
    )
    assert.match(gone.stderr, /error: configmaps "two" could not be found on the server\nThe edits you made on deleted/)
    const other = `kubectl patch cm one -n ${namespace} -p '{"data":{"size":"3"}}' > /dev/null`
    await editBoth(both, ['edit', 'cm', 'one'], [`${other}; ${sed('s/green/red/')}`])
    assert.match(await sameNow(both, 'cm', 'one'), /color: red\n {2}size: "3"/)
  },

  'who an object is cannot be edited': async (both) => {
    await both.given(configMap('one'))
    for (const change of [
      's/name: one/name: two/',
      's/kind: .*/kind: Secret/',
      's/namespace: .*/namespace: other/',
      's/uid: .*/uid: x/',
    ]) {
      const { code, stderr } = await editBoth(both, ['edit', 'cm', 'one'], [sed(change)])
      assert.equal(code, 1)
      assert.match(stderr, /^A copy of your changes has been stored to /)
    }
    await editBoth(both, ['edit', 'ns', '@own'], [sed('s/^  name: .*/  name: x/')])
    await editBoth(both, ['edit', 'ns', '@own'], [sed('s/^  name: /  labels: {a: b}\\n  name: /')])
    await sameNow(both, 'cm', 'one')
  },

  'the editor is chosen by variables, and may have arguments': async (both) => {
    await both.given(configMap('one'))
    const edit = (variables: Readonly<Record<string, string>>) =>
      editBoth(both, ['edit', 'cm', 'one'], [], { variables })
    await edit({ KUBE_EDITOR: '', EDITOR: 'sed -i s/green/red/' })
    await edit({ KUBE_EDITOR: 'sed -i s/red/blue/', EDITOR: 'false' })
    await edit({ KUBE_EDITOR: `sed -i -e 's/: blue/: pink/'`, SHELL: '/bin/sh' })
    assert.match(await sameNow(both, 'cm', 'one'), /color: pink/)
    await editBoth(both, ['edit', 'cm', 'one'], ['rm "$1"'])
    for (const editor of ['nosuchprogram', '/nosuch/program', 'false with arguments', ' vi']) {
      const { code } = await edit({ KUBE_EDITOR: editor })
      assert.equal(code, 1)
    }
    await edit({ KUBE_EDITOR: `sed -i 's/pink/red/'`, SHELL: '/nosuch/shell' })
    await editBoth(both, ['edit', 'cm', 'one'], [sed('s/pink/a: b/'), 'exit 3'])
    const lines = [
      'edit cm',
      'edit',
      'edit cm nosuch',
      'edit nosuch one',
      'edit cm one -o name',
      'edit cm one --validate=nosuch',
      'edit -f nosuch.yaml',
      'edit cm one -f nosuch.yaml',
      'edit cm one --nosuch',
      'edit cm one -l a=b',
    ]
    for (const line of lines) await editBoth(both, words(line), [])
  },
})
