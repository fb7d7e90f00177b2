import assert from 'node:assert/strict'
import { comparisonSuite } from '../comparison.test.kit.js'
import { configMap, editBoth, sameNow, sed } from './edit.test.kit.js'

comparisonSuite('an editor in other commands', {
  'objects of files can be edited before they are created': async (both) => {
    const file = both.file(
      'two.yaml',
      [configMap('one'), configMap('two')].map((each) => JSON.stringify(each)).join('\n'),
    )
    const { stdout, seen } = await editBoth(
      both,
      ['create', '-f', file, '--edit', '--save-config'],
      [sed('s/green/red/')],
    )
    assert.equal(stdout, 'configmap/one created\n')
    assert.equal(seen.length, 2)
    await sameNow(both, 'cm', 'one')
    await editBoth(both, ['create', '-f', file, '--edit'], [sed('s/green/red/'), sed('s/green/3/')])
    await editBoth(
      both,
      ['create', '-f', file, '--edit', '-o', 'json'],
      ['', sed('s/"green"/"a/'), sed('s/"a/"green"/')],
    )
    await editBoth(both, ['create', '-f', file, '--edit', '--raw=/api'], [])
    const variables = { KUBE_EDITOR: 'sed -i s/two/three/' }
    const dry = await both.ours(['create', '-f', file, '--edit', '--dry-run=client'], {
      variables,
    })
    assert.match(dry.stdout, /configmap\/three created \(dry run\)/)
    assert.equal((await both.ours(['get', 'cm', 'three'])).code, 1)
  },

  'what was applied last can be edited, and set to what a file says': async (both) => {
    const file = both.file(
      'two.json',
      [configMap('one'), configMap('two')].map((each) => JSON.stringify(each)).join('\n'),
    )
    await both.same(['apply', '-f', file])
    const { seen } = await editBoth(both, ['apply', 'edit-last-applied', 'cm', 'one'], [sed('s/green/red/')])
    assert.match(seen[0]!, /^# Please edit the 'last-applied-configuration' annotations below\.\n/)
    assert.match(await sameNow(both, 'cm', 'one'), /last-applied-configuration: \|\n.*"color":"red"/)
    await editBoth(both, ['apply', 'edit-last-applied', '-f', file], [sed('s/red/blue/')])
    await editBoth(both, ['apply', 'edit-last-applied', '-f', file, '-o', 'json'], [])
    await editBoth(both, ['apply', 'edit-last-applied', 'cm/one'], [sed('s/name: one/name: nosuch/')])
    await editBoth(both, ['apply', 'edit-last-applied', 'cm/one'], [sed('/namespace:/d')])
    await both.given(configMap('three'))
    await editBoth(both, ['apply', 'edit-last-applied', 'cm/three'], [])
    const third = both.file('three.json', configMap('three'))
    both.file('none.json', configMap('none'))
    await both.sameLines(`
      apply set-last-applied -f ${file}
      apply set-last-applied -f ${file}
      apply set-last-applied -f ${third}
      apply set-last-applied -f ${third} --create-annotation --dry-run=client -o yaml
      apply set-last-applied -f ${third} --create-annotation --dry-run=server
      apply set-last-applied -f ${third} --create-annotation
      apply set-last-applied -f ${both.home}/none.json
      apply set-last-applied
      apply set-last-applied -R
      apply view-last-applied cm three
    `)
    const { stdout } = await both.same(['get', 'cm', '-o', 'yaml', '--field-selector=metadata.name!=kube-root-ca.crt'])
    assert.match(stdout, /last-applied-configuration: \|\n.*"name":"three"/)
  },
})
