import { startTestCluster } from '../../testing/cluster.js'
import { configMap, deploymentWithImage } from '../../testing/kubectl/suite.js'
import { comparisonSuite } from '../comparison.test.kit.js'

comparisonSuite(
  'our kubectl rollout',
  {
    'pauses, resumes, restarts': async (both) => {
      await both.given(deploymentWithImage('web'), configMap('one'))
      await both.sameLines(
        `
        rollout pause deploy/web
        rollout pause deploy/web
        rollout restart deploy/web
        rollout undo deploy/web
        rollout resume deploy/web
        rollout resume deploy/web
        rollout restart deploy/web
        rollout restart cm/one
        rollout pause cm/one
        rollout pause
        rollout restart deploy/nosuch
        rollout status deploy/nosuch
        rollout status cm/one
        rollout
        rollout nosuch
      `.replace(/^ *rollout$/m, ''),
      )
    },
    'tells history and goes back': async (both) => {
      await both.given(deploymentWithImage('web', 'nginx:1'))
      const settled = ['wait', 'deploy/web', '--for=jsonpath={.status.observedGeneration}=', '--timeout=20s'] as const
      await both.same(['wait', 'deploy/web', '--for=jsonpath={.status.observedGeneration}=1', '--timeout=20s'])
      await both.sameLines(`set image deploy/web main=nginx:2`)
      await both.same([...settled.slice(0, 2), `${settled[2]}2`, '--timeout=20s'])
      await both.sameLines(`annotate deploy/web kubernetes.io/change-cause=second`)
      await both.same([
        'wait',
        'deploy/web',
        '--for=jsonpath={.metadata.annotations.deployment\\.kubernetes\\.io/revision}=2',
        '--timeout=20s',
      ])
      await both.sameLines(`
        rollout history deploy/web
        rollout history deploy/web --revision=1
        rollout history deploy/web --revision=2
        rollout history deploy/web --revision=9
        rollout status deploy/web --watch=false
        rollout undo deploy/web --to-revision=9
        rollout undo deploy/web
        get deploy web -o jsonpath={.spec.template.spec.containers[0].image}
        rollout undo deploy/web --to-revision=1
        rollout history cm/one
        rollout status deploy/web --timeout=1s
      `)
    },
  },
  () => startTestCluster({ brokenRules: [] }),
)

comparisonSuite('our kubectl wait', {
  'waits for what is there, gone, true or equal': async (both) => {
    await both.given(deploymentWithImage('web'), configMap('one', { a: 'b' }))
    await both.sameLines(`
      wait cm/one --for=jsonpath={.data.a}=b
      wait cm/one --for=jsonpath={.data.a}=c --timeout=1s
      wait cm/one --for=jsonpath={.data.nosuch} --timeout=1s
      wait deploy/web --for=condition=Available --timeout=1s
      wait cm/one --for=delete --timeout=1s
      wait cm/nosuch --for=delete --timeout=1s
      wait cm/one --for=create --timeout=1s
      wait cm/nosuch --for=create --timeout=1s
      wait cm/nosuch --for=condition=x --timeout=1s
      wait cm/one --for=nosuch
      wait cm/one
      wait cm -l a=b --for=condition=x
      wait pods --for=condition=x
    `)
  },
})

comparisonSuite('our kubectl logs and exec', {
  'refuse what the original refuses': async (both) => {
    await both.given(deploymentWithImage('web'))
    await both.sameLines(`
      logs
      logs nosuch
      logs a -l x=y
      logs -l x=y
      logs a --since=1s --since-time=2020-01-01T00:00:00Z
      logs deploy/nosuch
      exec
      exec nosuch -- date
      exec nosuch
      exec nosuch date
    `)
  },
})
