import assert from 'node:assert/strict'
import { comparisonSuite } from '../comparison.test.kit.js'

comparisonSuite('our kubectl run', {
  'makes pods as the original does, where it is told that they do not come again': async (both) => {
    await both.sameLines(`
      run one --image=nginx --restart=Never
      run one --image=nginx --restart=Never
      run two --image=nginx:1 --restart=Never --port=80 --expose
      run three --image=busybox --restart=Never --env=A=b --env=C=d=e --labels=app=x,tier=y -- sleep 10
      run four --image=busybox --restart=Never --command --annotations=a=b -- sh -c 'echo x'
      run five --image=busybox --restart=Never --dry-run=client
      run five --image=busybox --restart=Never --dry-run=server -o name
      run five --image=busybox --restart=Never --dry-run=client -o yaml --port=80
      run five --image=busybox --restart=Never --dry-run=client -o yaml --port=80 --expose
      run five --image=busybox --restart=Never '--overrides={"spec":{"nodeName":"x"}}' -o json --dry-run=client
      run five --image=busybox --restart=Never --dry-run=client -o json --port=80 --expose
      run five --image=busybox --restart=Never --overrides={ --dry-run=client
      run six --image=busybox --restart=Never --image-pull-policy=Never --privileged --dry-run=client -o yaml
      get pods -o yaml
      get svc -o yaml
      run Bad_Name --image=nginx --restart=Never
      run seven --image=nginx --restart=Never -q
    `)
  },
  'refuses before it sends anything': (both) =>
    both.sameLines(`
      run
      run x
      run x --image=Bad!
      run x --image=nginx --restart=Sometimes
      run x --image=nginx --restart=Never --expose
      run x --image=nginx --restart=Never --rm
      run x --image=nginx --restart=Never -t
      run x --image=nginx --restart=Never --env=b
      run x --image=nginx --restart=Never --labels=b
      run x --image=nginx --restart=Never --port=b
      run x --image=nginx --restart=Never -o nosuch
      run x --image=nginx --restart=Never --dry-run=maybe
    `),
  'makes what the story tells: by generator, restart policy and schedule': async (both) => {
    const made = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await both.ours(['run', ...args])
      assert.equal(code, 0, stderr)
      return stdout
    }
    assert.equal(
      await made('--image=nginx', '--replicas=3', '--port=80', '--expose'),
      'service/nginx created\ndeployment.apps/nginx created\n',
    )
    assert.equal(await made('once', '--image=busybox', '--restart=OnFailure', '--', 'date'), 'job.batch/once created\n')
    assert.equal(await made('nightly', '--image=busybox', '--schedule=0 3 * * *'), 'cronjob.batch/nightly created\n')
    assert.equal(
      await made('old', '--image=nginx', '--generator=run/v1', '--replicas=2'),
      'replicationcontroller/old created\n',
    )
    assert.equal(await made('pod', '--image=nginx', '--generator=run-pod/v1'), 'pod/pod created\n')
    assert.equal(
      await made('small', '--image=nginx', '--limits=cpu=1,memory=64Mi', '--requests=cpu=500m', '--record'),
      'deployment.apps/small created\n',
    )
    const { stdout } = await both.ours([
      'get',
      'deploy',
      'nginx',
      '-o',
      'jsonpath={.spec.replicas} {.spec.template.spec.containers[0].ports[0].containerPort} {.spec.selector.matchLabels}',
    ])
    assert.equal(stdout, '3 80 {"run":"nginx"}')
    const limits = await both.ours([
      'get',
      'deploy',
      'small',
      '-o',
      'jsonpath={.spec.template.spec.containers[0].resources} {.metadata.annotations}',
    ])
    assert.match(
      limits.stdout,
      /^{"limits":{"cpu":"1","memory":"64Mi"},"requests":{"cpu":"500m"}} .*"kubernetes.io\/change-cause":"kubectl .*run small/,
    )
    const service = await both.ours(['get', 'svc', 'nginx', '-o', 'jsonpath={.spec.selector} {.spec.ports[0].port}'])
    assert.equal(service.stdout, '{"run":"nginx"} 80')
  },
  'knows which of its flags exclude each other': async (both) => {
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await both.ours(['run', 'x', '--image=nginx', ...args])
      assert.equal(code, 1)
      return stderr
    }
    assert.equal(
      await refused('--restart=Never', '--replicas=2'),
      'error: --restart=Never requires that --replicas=1, found 2\n',
    )
    assert.equal(await refused('--generator=nosuch/v1'), 'error: generator "nosuch/v1" not found\n')
    assert.equal(
      await refused('--schedule=* * * * *', '--replicas=2'),
      'error: --schedule requires that --replicas=1, found 2\n',
    )
    assert.equal(await refused('--limits=cpu'), 'error: Invalid argument syntax cpu, expected <resource>=<value>\n')
  },
})
