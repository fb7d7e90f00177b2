import assert from 'node:assert/strict'
import type { JsonObject } from '../schema/declaration.js'
import { configMap, deploymentWithImage } from '../testing/kubectl/suite.js'
import { comparisonSuite } from './comparison.test.kit.js'

const node = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })

/** What remains of `--selector="$LABELS"` in a script if the variable is unset or blank. */
const empty = ["--selector=''", "-l ''", "-l ' '", "--selector='  '"]

/** Combines each line with each form of an empty selector. */
const withEach = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .flatMap((line) => empty.map((selector) => `${line.trim()} ${selector}`))
    .join('\n')

comparisonSuite('our kubectl and an empty selector:', {
  'it selects no node': async (both) => {
    await both.given(node('@own'))
    await both.sameLines(
      withEach(`
        cordon
        cordon --dry-run=client
        uncordon
        drain
        drain --force --ignore-daemonsets
        taint nodes a=b:NoSchedule
      `),
    )
    await both.sameLines('get node @own -o jsonpath={.spec}')
  },
  'it selects nothing to be changed or deleted': async (both) => {
    await both.given(configMap('one'), deploymentWithImage('web'))
    await both.sameLines(
      withEach(`
        delete configmaps
        delete configmaps,deployments
        delete
        delete configmaps --field-selector=''
        delete configmaps --field-selector=' '
        label configmaps a=b
        label a=b
        annotate configmaps a=b
        scale deployments --replicas=9
        scale --replicas=9
        set image deployments main=nginx:2
        set env deployments A=B
        set resources deployments --limits=cpu=1
        expose deployments
        logs
        wait configmaps --for=delete --timeout=1s
        wait --for=delete --timeout=1s
        create poddisruptionbudget x --min-available=1
      `),
    )
    await both.sameLines(`
      get configmaps one -o jsonpath={.metadata.labels}{.metadata.annotations}
      get deployments web -o jsonpath={.spec.replicas}{..image}
    `)
  },
  'it changes nothing beside a name or --all': async (both) => {
    await both.given(node('@own'), configMap('one'), configMap('two'), deploymentWithImage('web'))
    await both.sameLines(
      withEach(`
        cordon @own --dry-run=client
        taint nodes @own a=b:NoSchedule --dry-run=client
        label configmaps one a=b --dry-run=client
        label configmaps --all a=b --dry-run=client
        annotate configmaps one a=b --dry-run=client
        scale deployments web --replicas=3 --dry-run=client
        delete configmap one --dry-run=client
        delete configmaps --all --dry-run=client
        set image deployment web main=nginx:2 --dry-run=client
        get configmaps one -o name
        describe configmaps one
        wait configmaps one --for=jsonpath={.metadata.name}=one --timeout=1s
      `),
    )
  },
  '--all beside a selector': async (both) => {
    await both.given(configMap('one'), deploymentWithImage('web'))
    const file = both.file('one.json', configMap('one', { a: 'b' }))
    for (const selector of ['-l app=web', '--selector=app', "-l ' '"])
      await both.sameLines(`
        taint nodes --all a=b:NoSchedule ${selector}
        label configmaps --all a=b ${selector}
        label --all a=b ${selector}
        annotate configmaps --all a=b ${selector}
        delete configmaps --all ${selector}
        scale deployments --all --replicas=2 --dry-run=client ${selector}
        set image deployments main=nginx:2 --all ${selector}
        set env deployments A=B --all ${selector}
        set env deployments --list --all ${selector}
        set resources deployments --limits=cpu=1 --all ${selector}
        wait configmaps --all --for=delete --timeout=1s ${selector}
        apply -f ${file} --all ${selector}
        apply -f ${file} --prune --all ${selector}
      `)
    await both.sameLines(`
      label configmaps --all a=b --field-selector=metadata.name=one
      annotate configmaps --all a=b --field-selector=metadata.name=one
      delete configmaps --all --field-selector=metadata.name=one
      delete configmaps --all --field-selector=' '
      apply -f ${file} --prune
      apply -f ${file} --prune -l ''
      get configmaps one -o jsonpath={.metadata.labels}
    `)
  },
  'a blank one prunes nothing, where the original would prune everything': async (both) => {
    await both.given(configMap('one'))
    const file = both.file('two.json', configMap('two'))
    const { code, stderr } = await both.ours(['apply', '-f', file, '--prune', '-l', ' '])
    assert.equal(code, 1)
    assert.match(stderr, /all resources selected for prune without explicitly passing --all/)
  },
  'a type alone means all of it where upstream says so': async (both) => {
    await both.given(configMap('one'), deploymentWithImage('web'), deploymentWithImage('other'))
    await both.sameLines(
      withEach(`
        get configmaps -o name
        get -o name
        describe configmaps
        rollout status deployments --watch=false
        rollout pause
        rollout resume
        rollout restart
        rollout undo
      `),
    )
    await both.sameLines(`
      rollout pause deployments -l ''
      rollout resume deployments --selector=
    `)
  },
})
