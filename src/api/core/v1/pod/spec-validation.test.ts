import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { good, problems } from '../pod-spec-rules.test.kit.js'

const any = (value: unknown) => value as never
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

describe('the spec of a pod', () => {
  test('may have few fields', () => assert.deepEqual(problems({}), []))

  test('has supported policies', () => {
    assert.deepEqual(problems({ restartPolicy: any(''), dnsPolicy: any(''), preemptionPolicy: any('') }), [
      'spec.restartPolicy: Required value',
      'spec.dnsPolicy: Required value',
      'spec.preemptionPolicy: Required value',
    ])
    assert.deepEqual(
      problems({ restartPolicy: any('Perhaps'), dnsPolicy: any('Mine'), preemptionPolicy: any('Sometimes') }),
      [
        'spec.restartPolicy: Unsupported value: "Perhaps": supported values: "Always", "OnFailure", "Never"',
        'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
        'spec.preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
      ],
    )
  })

  test('refers to other objects by valid names', () =>
    assert.deepEqual(
      problems({
        serviceAccountName: 'Bad_1',
        nodeName: 'Bad_2',
        priorityClassName: 'Bad_3',
        runtimeClassName: 'Bad_4',
        hostname: 'Bad_5',
        subdomain: 'a.b',
      }),
      [
        `spec.serviceAccountName: Invalid value: "Bad_1": ${subdomain}`,
        `spec.nodeName: Invalid value: "Bad_2": ${subdomain}`,
        `spec.hostname: Invalid value: "Bad_5": ${label}`,
        'spec.subdomain: Invalid value: "a.b": must not contain dots',
        `spec.priorityClassName: Invalid value: "Bad_3": ${subdomain}`,
        `spec.runtimeClassName: Invalid value: "Bad_4": ${subdomain}`,
      ],
    ))

  test('has a positive deadline', () => {
    const range = 'must be between 1 and 2147483647, inclusive'
    assert.deepEqual(problems({ activeDeadlineSeconds: 0 }), [`spec.activeDeadlineSeconds: Invalid value: 0: ${range}`])
    assert.deepEqual(problems({ activeDeadlineSeconds: 2 ** 31 }), [
      `spec.activeDeadlineSeconds: Invalid value: 2147483648: ${range}`,
    ])
  })

  test('has distinct scheduling gates', () =>
    assert.deepEqual(
      problems({
        readinessGates: [{ conditionType: 'bad type' }],
        schedulingGates: [{ name: 'a' }, { name: 'a' }, { name: 'b c' }],
      }),
      [
        `spec.readinessGates[0].conditionType: Invalid value: "bad type": name part ${qualified}`,
        'spec.schedulingGates[1]: Duplicate value: "a"',
        `spec.schedulingGates[2]: Invalid value: "b c": name part ${qualified}`,
      ],
    ))
})

describe('the DNS configuration of a pod', () => {
  test('has nameservers if the policy is None', () => {
    assert.deepEqual(problems({ dnsPolicy: 'None' }), [
      'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ])
    assert.deepEqual(problems({ dnsPolicy: 'None', dnsConfig: { searches: ['BAD'] } }), [
      'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
    ])
    assert.deepEqual(problems({ dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.1'] } }), [])
  })

  test('respects the limits of the C library', () => {
    const nameservers = ['10.0.0.1', 'x', '::1', '10.0.0.2']
    assert.deepEqual(problems({ dnsConfig: { nameservers, options: [{}, { name: 'ndots' }] } }), [
      'spec.dnsConfig.nameservers: Invalid value: ["10.0.0.1","x","::1","10.0.0.2"]: must not have more than 3 nameservers',
      'spec.dnsConfig.nameservers[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'spec.dnsConfig.options[0]: Required value: must not be empty',
    ])
    assert.deepEqual(problems({ dnsConfig: { searches: ['.', 'a_b.example.com.', '_tcp.x'] } }), [])
    assert.equal(problems({ dnsConfig: { searches: Array(33).fill('a') } }).length, 1)
    const long = Array(32).fill('x'.repeat(63))
    assert.match(problems({ dnsConfig: { searches: [...long] } }).join(), /^$/)
    assert.match(
      problems({ dnsConfig: { searches: Array(32).fill('x'.repeat(64)) } }).join(),
      /must not have more than 2048 characters \(including spaces\) in the search list/,
    )
  })

  test('may have host aliases', () =>
    assert.deepEqual(
      problems({ hostAliases: [{ ip: 'here', hostnames: ['ok.example', 'Not'] }, { ip: '127.0.0.1' }] }),
      [
        'spec.hostAliases[0].ip: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        `spec.hostAliases[0].hostnames[1]: Invalid value: "Not": ${subdomain}`,
      ],
    ))

  test('has no duplicate hostname fields', () =>
    assert.deepEqual(problems({ hostnameOverride: 'A', setHostnameAsFQDN: true, hostNetwork: true }), [
      `spec.hostnameOverride: Invalid value: "A": ${subdomain}`,
      'spec.hostnameOverride: Forbidden: may not be set when setHostnameAsFQDN is true',
      'spec.hostnameOverride: Forbidden: may not be set when hostNetwork is true',
    ]))
})

describe('the placement of a pod', () => {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution'
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

  test('is restricted by labels and names of nodes', () => {
    const terms = (term: object) =>
      problems({ affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [term] } } } }).map((text) =>
        text.replace(`spec.affinity.nodeAffinity.${required}.nodeSelectorTerms[0]`, 'term'),
      )
    assert.deepEqual(terms({ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }), [])
    assert.deepEqual(terms({ matchExpressions: [{ key: 'a', operator: 'In', values: ['not ok'] }] }).length, 1)
    assert.deepEqual(
      terms({
        matchFields: [
          { key: 'metadata.name', operator: 'In', values: ['a', 'b'] },
          { key: 'spec.x', operator: 'Exists' },
        ],
      }),
      [
        "term.matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
        'term.matchFields[1].operator: Invalid value: "Exists": not a valid selector operator',
        'term.matchFields[1].key: Invalid value: "spec.x": not a valid field selector key',
      ],
    )
  })

  test('may have invalid values in preferences, or if the old pod had them', () => {
    const term = { matchExpressions: [{ key: 'a', operator: 'In' as const, values: ['not ok'] }] }
    assert.deepEqual(problems({ affinity: { nodeAffinity: { [preferred]: [{ weight: 1, preference: term }] } } }), [])
    const affinity = { nodeAffinity: { [required]: { nodeSelectorTerms: [term] } } }
    assert.equal(problems({ affinity }).length, 1)
    assert.deepEqual(problems({ affinity }, { old: { ...good, affinity } }), [])
  })

  test('is restricted by labels of other pods', () =>
    assert.deepEqual(
      problems({
        affinity: {
          podAffinity: {
            [required]: [
              {
                topologyKey: 'zone',
                namespaces: ['Bad'],
                labelSelector: {
                  matchLabels: { a: 'b' },
                  matchExpressions: [{ key: 'a', operator: 'In', values: ['c'] }],
                },
                matchLabelKeys: ['a', 'both'],
                mismatchLabelKeys: ['both'],
              },
              { topologyKey: 'zone', matchLabelKeys: ['a'] },
            ],
          },
        },
      }).map((text) => text.replace(`spec.affinity.podAffinity.${required}`, '')),
      [
        `[0].namespace: Invalid value: "Bad": ${label}`,
        '[0][0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
        '[0].matchLabelKeys[1]: Invalid value: "both": exists in both matchLabelKeys and mismatchLabelKeys',
        '[1].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      ],
    ))

  test('is restricted by topology spread constraints', () =>
    assert.deepEqual(
      problems({
        topologySpreadConstraints: [
          { maxSkew: -1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', minDomains: 0, matchLabelKeys: ['x'] },
          { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', nodeAffinityPolicy: any('No') },
        ],
      }),
      [
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: -1: must be greater than zero',
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{a, DoNotSchedule}"',
        'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
        'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
        'spec.topologySpreadConstraints[1].nodeAffinityPolicy: Unsupported value: "No": supported values: "Honor", "Ignore"',
      ],
    ))

  test('has valid tolerations', () => {
    assert.deepEqual(problems({ tolerations: [{ operator: 'Exists' }, { key: 'a', value: 'b' }] }), [])
    assert.deepEqual(
      problems({ tolerations: [{ key: 'a', value: 'x y' }, {}] }).map((text) => text.slice(0, 60)),
      [
        'spec.tolerations[0].operator: Invalid value: "x y": a valid la',
        'spec.tolerations[1].operator: Invalid value: "": operator mus',
      ].map((text) => text.slice(0, 60)),
    )
  })
})
