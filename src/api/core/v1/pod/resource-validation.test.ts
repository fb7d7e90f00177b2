import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { app, problems } from '../pod-spec-rules.test.kit.js'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

describe('pod-level resources', () => {
  const sized = (cpu: string) => ({ ...app, resources: { requests: { cpu }, limits: { cpu } } })

  test('are at least the sum of the containers', () =>
    assert.deepEqual(
      problems({
        containers: [sized('2'), { ...sized('1'), name: 'b' }],
        resources: { requests: { cpu: '2500m' }, limits: { cpu: '1500m' } },
      }),
      [
        'spec.resources.requests: Invalid value: "2500m": must be less than or equal to cpu limit of 1500m',
        'spec.resources.requests[cpu]: Invalid value: "2500m": must be greater than or equal to aggregate container requests of 3',
        'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1500m',
      ],
    ))

  test('are CPU, memory and huge pages', () =>
    assert.deepEqual(
      problems({ resources: { requests: { 'ephemeral-storage': '1' }, claims: [{ name: 'x' }] } }).slice(0, 2),
      [
        'spec.resources.claims: Forbidden: claims cannot be set for Resources at pod-level',
        'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
      ],
    ))

  test('include a valid overhead', () =>
    assert.deepEqual(problems({ overhead: { cpu: '-1' } }), [
      'spec.overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    ]))

  test('include resource claims with one source each', () =>
    assert.deepEqual(
      problems(
        {
          resourceClaims: [
            { name: '' },
            { name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' },
            { name: 'a', resourceClaimName: 'Bad' },
            { name: 'ok', resourceClaimTemplateName: 't' },
          ],
        },
        { podName: 'p.' },
      ).filter((text) => !text.includes('spec.resourceClaims[3]')),
      [
        'spec.resourceClaims[0].name: Required value',
        'spec.resourceClaims[0]: Invalid value: {"Name":"","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
        `spec.resourceClaims[1].name: Invalid value: "p.-a": final ResourceClaim name: ${subdomain}`,
        'spec.resourceClaims[1]: Invalid value: {"Name":"a","ResourceClaimName":"x","ResourceClaimTemplateName":"y"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
        'spec.resourceClaims[2].name: Duplicate value: "a"',
        `spec.resourceClaims[2].resourceClaimName: Invalid value: "Bad": ${subdomain}`,
      ],
    ))
})
