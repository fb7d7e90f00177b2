// Written by tools/declarations.ts from the files in this folder. Do not edit.
import { declarationsIn } from '../schema/declaration.js'
import * as m1 from './admissionregistration/v1/expression-rules.js'
import * as m2 from './admissionregistration/v1/failure-policy.js'
import * as m3 from './admissionregistration/v1/match-condition-rules.js'
import * as m4 from './admissionregistration/v1/match-resources.js'
import * as m5 from './admissionregistration/v1/match-rules.js'
import * as m6 from './admissionregistration/v1/mutating-admission-policy-binding-strategy.js'
import * as m7 from './admissionregistration/v1/mutating-admission-policy-binding.js'
import * as m8 from './admissionregistration/v1/mutating-admission-policy-strategy.js'
import * as m9 from './admissionregistration/v1/mutating-admission-policy.js'
import * as m10 from './admissionregistration/v1/mutating-webhook-configuration-strategy.js'
import * as m11 from './admissionregistration/v1/mutating-webhook-configuration.js'
import * as m12 from './admissionregistration/v1/param-ref-cell.js'
import * as m13 from './admissionregistration/v1/parameters.js'
import * as m14 from './admissionregistration/v1/policy-rules.js'
import * as m15 from './admissionregistration/v1/validating-admission-policy-binding-strategy.js'
import * as m16 from './admissionregistration/v1/validating-admission-policy-binding.js'
import * as m17 from './admissionregistration/v1/validating-admission-policy-strategy.js'
import * as m18 from './admissionregistration/v1/validating-admission-policy.js'
import * as m19 from './admissionregistration/v1/validating-webhook-configuration-strategy.js'
import * as m20 from './admissionregistration/v1/validating-webhook-configuration.js'
import * as m21 from './admissionregistration/v1/webhook-client-rules.js'
import * as m22 from './admissionregistration/v1/webhook-client.js'
import * as m23 from './admissionregistration/v1/webhook-rules.js'
import * as m24 from './admissionregistration/v1alpha1/initializer-configuration-strategy.js'
import * as m25 from './admissionregistration/v1alpha1/initializer-configuration.js'
import * as m26 from './admissionregistration/v1alpha1/match-resources.js'
import * as m27 from './admissionregistration/v1alpha1/mutating-admission-policy-binding-strategy.js'
import * as m28 from './admissionregistration/v1alpha1/mutating-admission-policy-binding.js'
import * as m29 from './admissionregistration/v1alpha1/mutating-admission-policy-strategy.js'
import * as m30 from './admissionregistration/v1alpha1/mutating-admission-policy.js'
import * as m31 from './admissionregistration/v1beta1/match-resources.js'
import * as m32 from './admissionregistration/v1beta1/mutating-admission-policy-binding-strategy.js'
import * as m33 from './admissionregistration/v1beta1/mutating-admission-policy-binding.js'
import * as m34 from './admissionregistration/v1beta1/mutating-admission-policy-strategy.js'
import * as m35 from './admissionregistration/v1beta1/mutating-admission-policy.js'
import * as m36 from './apiextensions/v1/custom-resource-definition-strategy.js'
import * as m37 from './apiextensions/v1/custom-resource-definition.js'
import * as m38 from './apiextensions/v1/json-schema.js'
import * as m39 from './apiregistration/v1/api-service-strategy.js'
import * as m40 from './apiregistration/v1/api-service.js'
import * as m41 from './apiserverinternal/v1alpha1/storage-version-strategy.js'
import * as m42 from './apiserverinternal/v1alpha1/storage-version.js'
import * as m43 from './apps/v1/controller-revision-strategy.js'
import * as m44 from './apps/v1/controller-revision.js'
import * as m45 from './apps/v1/daemon-set-strategy.js'
import * as m46 from './apps/v1/daemon-set.js'
import * as m47 from './apps/v1/deployment-strategy.js'
import * as m48 from './apps/v1/deployment.js'
import * as m49 from './apps/v1/replica-count-rules.js'
import * as m50 from './apps/v1/replica-set-strategy.js'
import * as m51 from './apps/v1/replica-set.js'
import * as m52 from './apps/v1/stateful-set-rules.js'
import * as m53 from './apps/v1/stateful-set-strategy.js'
import * as m54 from './apps/v1/stateful-set.js'
import * as m55 from './apps/v1/workload-template-rules.js'
import * as m56 from './authentication/v1/self-subject-review.js'
import * as m57 from './authentication/v1/token-request-strategy.js'
import * as m58 from './authentication/v1/token-request.js'
import * as m59 from './authentication/v1/token-review.js'
import * as m60 from './authentication/v1/user-info.js'
import * as m61 from './authorization/v1/attributes.js'
import * as m62 from './authorization/v1/local-subject-access-review-strategy.js'
import * as m63 from './authorization/v1/local-subject-access-review.js'
import * as m64 from './authorization/v1/review-rules.js'
import * as m65 from './authorization/v1/self-subject-access-review-strategy.js'
import * as m66 from './authorization/v1/self-subject-access-review.js'
import * as m67 from './authorization/v1/self-subject-rules-review.js'
import * as m68 from './authorization/v1/subject-access-review-strategy.js'
import * as m69 from './authorization/v1/subject-access-review.js'
import * as m70 from './autoscaling/v1/annotation-json.js'
import * as m71 from './autoscaling/v1/behavior-annotation.js'
import * as m72 from './autoscaling/v1/horizontal-pod-autoscaler-conversion.js'
import * as m73 from './autoscaling/v1/horizontal-pod-autoscaler-strategy.js'
import * as m74 from './autoscaling/v1/horizontal-pod-autoscaler.js'
import * as m75 from './autoscaling/v1/metric-annotation.js'
import * as m76 from './autoscaling/v1/metric-status-annotation.js'
import * as m77 from './autoscaling/v1/scale-strategy.js'
import * as m78 from './autoscaling/v1/scale.js'
import * as m79 from './autoscaling/v2/autoscaler-cells.js'
import * as m80 from './autoscaling/v2/autoscaler-defaults.js'
import * as m81 from './autoscaling/v2/behavior-rules.js'
import * as m82 from './autoscaling/v2/horizontal-pod-autoscaler-strategy.js'
import * as m83 from './autoscaling/v2/horizontal-pod-autoscaler.js'
import * as m84 from './autoscaling/v2/metric-rules.js'
import * as m85 from './autoscaling/v2/object-reference-rules.js'
import * as m86 from './batch/v1/cron-job-strategy.js'
import * as m87 from './batch/v1/cron-job.js'
import * as m88 from './batch/v1/job-conditions.js'
import * as m89 from './batch/v1/job-indexes.js'
import * as m90 from './batch/v1/job-rules.js'
import * as m91 from './batch/v1/job-selector.js'
import * as m92 from './batch/v1/job-spec-rules.js'
import * as m93 from './batch/v1/job-status-rules.js'
import * as m94 from './batch/v1/job-strategy.js'
import * as m95 from './batch/v1/job-transition-rules.js'
import * as m96 from './batch/v1/job-update-rules.js'
import * as m97 from './batch/v1/job.js'
import * as m98 from './batch/v1/pod-failure-policy-rules.js'
import * as m99 from './batch/v1/pod-failure-policy.js'
import * as m100 from './batch/v1/schedule.js'
import * as m101 from './batch/v1/success-policy-rules.js'
import * as m102 from './batch/v1/time-zone.js'
import * as m103 from './certificates/v1/alternative-names.js'
import * as m104 from './certificates/v1/certificate-request.js'
import * as m105 from './certificates/v1/certificate-signing-request-rules.js'
import * as m106 from './certificates/v1/certificate-signing-request-strategy.js'
import * as m107 from './certificates/v1/certificate-signing-request.js'
import * as m108 from './certificates/v1/der.js'
import * as m109 from './certificates/v1/signer-names.js'
import * as m110 from './certificates/v1alpha1/cluster-trust-bundle-strategy.js'
import * as m111 from './certificates/v1alpha1/cluster-trust-bundle.js'
import * as m112 from './certificates/v1beta1/cluster-trust-bundle-strategy.js'
import * as m113 from './certificates/v1beta1/cluster-trust-bundle.js'
import * as m114 from './certificates/v1beta1/pod-certificate-request-strategy.js'
import * as m115 from './certificates/v1beta1/pod-certificate-request.js'
import * as m116 from './certificates/v1beta1/pod-certificate-rules.js'
import * as m117 from './certificates/v1beta1/pod-key-rules.js'
import * as m118 from './coordination/v1/lease-strategy.js'
import * as m119 from './coordination/v1/lease.js'
import * as m120 from './coordination/v1alpha2/lease-candidate-strategy.js'
import * as m121 from './coordination/v1alpha2/lease-candidate.js'
import * as m122 from './coordination/v1beta1/lease-candidate-strategy.js'
import * as m123 from './coordination/v1beta1/lease-candidate.js'
import * as m124 from './core/v1/address-rules.js'
import * as m125 from './core/v1/affinity-rules.js'
import * as m126 from './core/v1/affinity.js'
import * as m127 from './core/v1/allocated-resource-rules.js'
import * as m128 from './core/v1/app-armor-annotations.js'
import * as m129 from './core/v1/binding-strategy.js'
import * as m130 from './core/v1/binding.js'
import * as m131 from './core/v1/bootstrap-token.js'
import * as m132 from './core/v1/choice-rules.js'
import * as m133 from './core/v1/component-status-cells.js'
import * as m134 from './core/v1/component-status.js'
import * as m135 from './core/v1/condition-status.js'
import * as m136 from './core/v1/config-map-strategy.js'
import * as m137 from './core/v1/config-map.js'
import * as m138 from './core/v1/container-defaults.js'
import * as m139 from './core/v1/container-port-rules.js'
import * as m140 from './core/v1/container-restarts.js'
import * as m141 from './core/v1/container-rules.js'
import * as m142 from './core/v1/container-status.js'
import * as m143 from './core/v1/container-warnings.js'
import * as m144 from './core/v1/container.js'
import * as m145 from './core/v1/deprecated-node-labels.js'
import * as m146 from './core/v1/downward-api-rules.js'
import * as m147 from './core/v1/endpoint-cells.js'
import * as m148 from './core/v1/endpoints-strategy.js'
import * as m149 from './core/v1/endpoints.js'
import * as m150 from './core/v1/env-rules.js'
import * as m151 from './core/v1/env.js'
import * as m152 from './core/v1/ephemeral-container-update-rules.js'
import * as m153 from './core/v1/ephemeral-container.js'
import * as m154 from './core/v1/event-cells.js'
import * as m155 from './core/v1/event-rules.js'
import * as m156 from './core/v1/event-strategy.js'
import * as m157 from './core/v1/event.js'
import * as m158 from './core/v1/gated-pod-rules.js'
import * as m159 from './core/v1/handler-rules.js'
import * as m160 from './core/v1/image-reference.js'
import * as m161 from './core/v1/iscsi-rules.js'
import * as m162 from './core/v1/key-value-content.js'
import * as m163 from './core/v1/lifecycle-rules.js'
import * as m164 from './core/v1/limit-range-rules.js'
import * as m165 from './core/v1/limit-range-strategy.js'
import * as m166 from './core/v1/limit-range.js'
import * as m167 from './core/v1/load-balancer-rules.js'
import * as m168 from './core/v1/match-label-keys.js'
import * as m169 from './core/v1/namespace-strategy.js'
import * as m170 from './core/v1/namespace.js'
import * as m171 from './core/v1/node-affinity.js'
import * as m172 from './core/v1/node-config-rules.js'
import * as m173 from './core/v1/node-config-source.js'
import * as m174 from './core/v1/node-ready.js'
import * as m175 from './core/v1/node-rules.js'
import * as m176 from './core/v1/node-selector-rules.js'
import * as m177 from './core/v1/node-selector.js'
import * as m178 from './core/v1/node-status.js'
import * as m179 from './core/v1/node-strategy.js'
import * as m180 from './core/v1/node.js'
import * as m181 from './core/v1/object-reference.js'
import * as m182 from './core/v1/path-rules.js'
import * as m183 from './core/v1/persistent-volume-claim-rules.js'
import * as m184 from './core/v1/persistent-volume-claim-status-rules.js'
import * as m185 from './core/v1/persistent-volume-claim-strategy.js'
import * as m186 from './core/v1/persistent-volume-claim-update-rules.js'
import * as m187 from './core/v1/persistent-volume-claim.js'
import * as m188 from './core/v1/persistent-volume-drivers.js'
import * as m189 from './core/v1/persistent-volume-rules.js'
import * as m190 from './core/v1/persistent-volume-strategy.js'
import * as m191 from './core/v1/persistent-volume-update-rules.js'
import * as m192 from './core/v1/persistent-volume-warnings.js'
import * as m193 from './core/v1/persistent-volume.js'
import * as m194 from './core/v1/pod-annotation-rules.js'
import * as m195 from './core/v1/pod-cells.js'
import * as m196 from './core/v1/pod-config-maps.js'
import * as m197 from './core/v1/pod-containers.js'
import * as m198 from './core/v1/pod-creation.js'
import * as m199 from './core/v1/pod-defaults.js'
import * as m200 from './core/v1/pod-disabled-fields.js'
import * as m201 from './core/v1/pod-dns-rules.js'
import * as m202 from './core/v1/pod-host-rules.js'
import * as m203 from './core/v1/pod-os-rules.js'
import * as m204 from './core/v1/pod-qos.js'
import * as m205 from './core/v1/pod-resize-rules.js'
import * as m206 from './core/v1/pod-resource-rules.js'
import * as m207 from './core/v1/pod-resources.js'
import * as m208 from './core/v1/pod-rules-context.js'
import * as m209 from './core/v1/pod-rules.js'
import * as m210 from './core/v1/pod-secrets.js'
import * as m211 from './core/v1/pod-spec-leniency.js'
import * as m212 from './core/v1/pod-spec-rules.js'
import * as m213 from './core/v1/pod-spec.js'
import * as m214 from './core/v1/pod-status-rules.js'
import * as m215 from './core/v1/pod-status.js'
import * as m216 from './core/v1/pod-strategy.js'
import * as m217 from './core/v1/pod-template-cells.js'
import * as m218 from './core/v1/pod-template-rules.js'
import * as m219 from './core/v1/pod-template-strategy.js'
import * as m220 from './core/v1/pod-template.js'
import * as m221 from './core/v1/pod-update-rules.js'
import * as m222 from './core/v1/pod-views.js'
import * as m223 from './core/v1/pod-warnings.js'
import * as m224 from './core/v1/pod.js'
import * as m225 from './core/v1/port-rules.js'
import * as m226 from './core/v1/probe-rules.js'
import * as m227 from './core/v1/probe.js'
import * as m228 from './core/v1/profile-agreement.js'
import * as m229 from './core/v1/protocol.js'
import * as m230 from './core/v1/replication-controller-strategy.js'
import * as m231 from './core/v1/replication-controller.js'
import * as m232 from './core/v1/required-fields.js'
import * as m233 from './core/v1/resize-rules.js'
import * as m234 from './core/v1/resource-claim-rules.js'
import * as m235 from './core/v1/resource-defaults.js'
import * as m236 from './core/v1/resource-name.js'
import * as m237 from './core/v1/resource-names.js'
import * as m238 from './core/v1/resource-quota-rules.js'
import * as m239 from './core/v1/resource-quota-strategy.js'
import * as m240 from './core/v1/resource-quota.js'
import * as m241 from './core/v1/resource-requirements-rules.js'
import * as m242 from './core/v1/resource-requirements.js'
import * as m243 from './core/v1/resource-rules.js'
import * as m244 from './core/v1/restart-rules.js'
import * as m245 from './core/v1/seccomp-annotations.js'
import * as m246 from './core/v1/secret-strategy.js'
import * as m247 from './core/v1/secret-types.js'
import * as m248 from './core/v1/secret.js'
import * as m249 from './core/v1/security-context-rules.js'
import * as m250 from './core/v1/security-context-text.js'
import * as m251 from './core/v1/security-context.js'
import * as m252 from './core/v1/security-profile-rules.js'
import * as m253 from './core/v1/service-account-strategy.js'
import * as m254 from './core/v1/service-account-token.js'
import * as m255 from './core/v1/service-account.js'
import * as m256 from './core/v1/service-address-rules.js'
import * as m257 from './core/v1/service-cells.js'
import * as m258 from './core/v1/service-changes.js'
import * as m259 from './core/v1/service-ip-families.js'
import * as m260 from './core/v1/service-port-rules.js'
import * as m261 from './core/v1/service-rules.js'
import * as m262 from './core/v1/service-strategy.js'
import * as m263 from './core/v1/service-traffic-rules.js'
import * as m264 from './core/v1/service-types.js'
import * as m265 from './core/v1/service.js'
import * as m266 from './core/v1/signal.js'
import * as m267 from './core/v1/storage-rules.js'
import * as m268 from './core/v1/sysctl-rules.js'
import * as m269 from './core/v1/taint-rules.js'
import * as m270 from './core/v1/taint.js'
import * as m271 from './core/v1/tls-key-pair.js'
import * as m272 from './core/v1/toleration-rules.js'
import * as m273 from './core/v1/tolerations.js'
import * as m274 from './core/v1/topology-spread-rules.js'
import * as m275 from './core/v1/volume-driver-rules.js'
import * as m276 from './core/v1/volume-drivers.js'
import * as m277 from './core/v1/volume-file-rules.js'
import * as m278 from './core/v1/volume-mount-rules.js'
import * as m279 from './core/v1/volume-projection-rules.js'
import * as m280 from './core/v1/volume-projection.js'
import * as m281 from './core/v1/volume-rules.js'
import * as m282 from './core/v1/volume-types.js'
import * as m283 from './core/v1/volume-warnings.js'
import * as m284 from './core/v1/volume.js'
import * as m285 from './core/v1/windows-options-rules.js'
import * as m286 from './discovery/v1/endpoint-slice-rules.js'
import * as m287 from './discovery/v1/endpoint-slice-strategy.js'
import * as m288 from './discovery/v1/endpoint-slice.js'
import * as m289 from './events/v1/event-strategy.js'
import * as m290 from './events/v1/event.js'
import * as m291 from './flowcontrol/v1/flow-condition-rules.js'
import * as m292 from './flowcontrol/v1/flow-rule-rules.js'
import * as m293 from './flowcontrol/v1/flow-schema-strategy.js'
import * as m294 from './flowcontrol/v1/flow-schema.js'
import * as m295 from './flowcontrol/v1/mandatory-flows.js'
import * as m296 from './flowcontrol/v1/priority-level-configuration-strategy.js'
import * as m297 from './flowcontrol/v1/priority-level-configuration.js'
import * as m298 from './meta/v1/api-group.js'
import * as m299 from './meta/v1/api-resource-list.js'
import * as m300 from './meta/v1/api-versions.js'
import * as m301 from './meta/v1/condition.js'
import * as m302 from './meta/v1/delete-options.js'
import * as m303 from './meta/v1/group-resource.js'
import * as m304 from './meta/v1/initializers.js'
import * as m305 from './meta/v1/label-selector.js'
import * as m306 from './meta/v1/list-meta.js'
import * as m307 from './meta/v1/object-meta.js'
import * as m308 from './meta/v1/patch.js'
import * as m309 from './meta/v1/status.js'
import * as m310 from './meta/v1/version-info.js'
import * as m311 from './meta/v1/watch-event.js'
import * as m312 from './networking/v1/ingress-class-strategy.js'
import * as m313 from './networking/v1/ingress-class.js'
import * as m314 from './networking/v1/ingress-rules.js'
import * as m315 from './networking/v1/ingress-strategy.js'
import * as m316 from './networking/v1/ingress.js'
import * as m317 from './networking/v1/ip-address-strategy.js'
import * as m318 from './networking/v1/ip-address.js'
import * as m319 from './networking/v1/network-policy-strategy.js'
import * as m320 from './networking/v1/network-policy.js'
import * as m321 from './networking/v1/service-cidr-strategy.js'
import * as m322 from './networking/v1/service-cidr.js'
import * as m323 from './networking/v1beta1/ip-address.js'
import * as m324 from './networking/v1beta1/service-cidr.js'
import * as m325 from './node/v1/runtime-class-strategy.js'
import * as m326 from './node/v1/runtime-class.js'
import * as m327 from './policy/v1/eviction.js'
import * as m328 from './policy/v1/pod-disruption-budget-strategy.js'
import * as m329 from './policy/v1/pod-disruption-budget.js'
import * as m330 from './rbac/v1/aggregation.js'
import * as m331 from './rbac/v1/binding-rules.js'
import * as m332 from './rbac/v1/cluster-role-binding-strategy.js'
import * as m333 from './rbac/v1/cluster-role-binding.js'
import * as m334 from './rbac/v1/cluster-role-strategy.js'
import * as m335 from './rbac/v1/cluster-role.js'
import * as m336 from './rbac/v1/policy-rule-rules.js'
import * as m337 from './rbac/v1/role-binding-strategy.js'
import * as m338 from './rbac/v1/role-binding.js'
import * as m339 from './rbac/v1/role-strategy.js'
import * as m340 from './rbac/v1/role.js'
import * as m341 from './resource/v1/allocation-rules.js'
import * as m342 from './resource/v1/capacity-rules.js'
import * as m343 from './resource/v1/device-claim-rules.js'
import * as m344 from './resource/v1/device-class-strategy.js'
import * as m345 from './resource/v1/device-class.js'
import * as m346 from './resource/v1/device-name-rules.js'
import * as m347 from './resource/v1/device-request.js'
import * as m348 from './resource/v1/device-rules.js'
import * as m349 from './resource/v1/device-selector-rules.js'
import * as m350 from './resource/v1/device-selector.js'
import * as m351 from './resource/v1/device-taint-rules.js'
import * as m352 from './resource/v1/list-rules.js'
import * as m353 from './resource/v1/resource-claim-form.js'
import * as m354 from './resource/v1/resource-claim-strategy.js'
import * as m355 from './resource/v1/resource-claim-template-strategy.js'
import * as m356 from './resource/v1/resource-claim-template.js'
import * as m357 from './resource/v1/resource-claim.js'
import * as m358 from './resource/v1/resource-slice-strategy.js'
import * as m359 from './resource/v1/resource-slice.js'
import * as m360 from './resource/v1alpha3/device-taint-rule-strategy.js'
import * as m361 from './resource/v1alpha3/device-taint-rule.js'
import * as m362 from './resource/v1alpha3/resource-pool-status-request-strategy.js'
import * as m363 from './resource/v1alpha3/resource-pool-status-request.js'
import * as m364 from './resource/v1beta1/device-class-strategy.js'
import * as m365 from './resource/v1beta1/device-class.js'
import * as m366 from './resource/v1beta1/device-request-rules.js'
import * as m367 from './resource/v1beta1/device-request.js'
import * as m368 from './resource/v1beta1/device-selector.js'
import * as m369 from './resource/v1beta1/resource-claim-strategy.js'
import * as m370 from './resource/v1beta1/resource-claim-template-strategy.js'
import * as m371 from './resource/v1beta1/resource-claim-template.js'
import * as m372 from './resource/v1beta1/resource-claim.js'
import * as m373 from './resource/v1beta1/resource-slice-strategy.js'
import * as m374 from './resource/v1beta1/resource-slice.js'
import * as m375 from './resource/v1beta2/device-class-strategy.js'
import * as m376 from './resource/v1beta2/device-class.js'
import * as m377 from './resource/v1beta2/device-request-rules.js'
import * as m378 from './resource/v1beta2/device-request.js'
import * as m379 from './resource/v1beta2/device-selector.js'
import * as m380 from './resource/v1beta2/device-taint-rule-strategy.js'
import * as m381 from './resource/v1beta2/device-taint-rule.js'
import * as m382 from './resource/v1beta2/device-taint.js'
import * as m383 from './resource/v1beta2/resource-claim-strategy.js'
import * as m384 from './resource/v1beta2/resource-claim-template-strategy.js'
import * as m385 from './resource/v1beta2/resource-claim-template.js'
import * as m386 from './resource/v1beta2/resource-claim.js'
import * as m387 from './resource/v1beta2/resource-slice-strategy.js'
import * as m388 from './resource/v1beta2/resource-slice.js'
import * as m389 from './scheduling/v1/priority-class-strategy.js'
import * as m390 from './scheduling/v1/priority-class.js'
import * as m391 from './scheduling/v1alpha2/pod-group-strategy.js'
import * as m392 from './scheduling/v1alpha2/pod-group.js'
import * as m393 from './scheduling/v1alpha2/scheduling-policy-rules.js'
import * as m394 from './scheduling/v1alpha2/scheduling-policy.js'
import * as m395 from './scheduling/v1alpha2/workload-strategy.js'
import * as m396 from './scheduling/v1alpha2/workload.js'
import * as m397 from './storage/v1/csi-driver-strategy.js'
import * as m398 from './storage/v1/csi-driver.js'
import * as m399 from './storage/v1/csi-node-strategy.js'
import * as m400 from './storage/v1/csi-node.js'
import * as m401 from './storage/v1/csi-storage-capacity-strategy.js'
import * as m402 from './storage/v1/csi-storage-capacity.js'
import * as m403 from './storage/v1/driver-parameters.js'
import * as m404 from './storage/v1/storage-class-strategy.js'
import * as m405 from './storage/v1/storage-class.js'
import * as m406 from './storage/v1/topology-rules.js'
import * as m407 from './storage/v1/volume-attachment-strategy.js'
import * as m408 from './storage/v1/volume-attachment.js'
import * as m409 from './storage/v1/volume-attributes-class-strategy.js'
import * as m410 from './storage/v1/volume-attributes-class.js'
import * as m411 from './storage/v1beta1/volume-attributes-class.js'
import * as m412 from './storagemigration/v1beta1/storage-version-migration-strategy.js'
import * as m413 from './storagemigration/v1beta1/storage-version-migration.js'

/** Every type and kind that Proa serves, in no particular order. */
export const declarations = declarationsIn([
  m1,
  m2,
  m3,
  m4,
  m5,
  m6,
  m7,
  m8,
  m9,
  m10,
  m11,
  m12,
  m13,
  m14,
  m15,
  m16,
  m17,
  m18,
  m19,
  m20,
  m21,
  m22,
  m23,
  m24,
  m25,
  m26,
  m27,
  m28,
  m29,
  m30,
  m31,
  m32,
  m33,
  m34,
  m35,
  m36,
  m37,
  m38,
  m39,
  m40,
  m41,
  m42,
  m43,
  m44,
  m45,
  m46,
  m47,
  m48,
  m49,
  m50,
  m51,
  m52,
  m53,
  m54,
  m55,
  m56,
  m57,
  m58,
  m59,
  m60,
  m61,
  m62,
  m63,
  m64,
  m65,
  m66,
  m67,
  m68,
  m69,
  m70,
  m71,
  m72,
  m73,
  m74,
  m75,
  m76,
  m77,
  m78,
  m79,
  m80,
  m81,
  m82,
  m83,
  m84,
  m85,
  m86,
  m87,
  m88,
  m89,
  m90,
  m91,
  m92,
  m93,
  m94,
  m95,
  m96,
  m97,
  m98,
  m99,
  m100,
  m101,
  m102,
  m103,
  m104,
  m105,
  m106,
  m107,
  m108,
  m109,
  m110,
  m111,
  m112,
  m113,
  m114,
  m115,
  m116,
  m117,
  m118,
  m119,
  m120,
  m121,
  m122,
  m123,
  m124,
  m125,
  m126,
  m127,
  m128,
  m129,
  m130,
  m131,
  m132,
  m133,
  m134,
  m135,
  m136,
  m137,
  m138,
  m139,
  m140,
  m141,
  m142,
  m143,
  m144,
  m145,
  m146,
  m147,
  m148,
  m149,
  m150,
  m151,
  m152,
  m153,
  m154,
  m155,
  m156,
  m157,
  m158,
  m159,
  m160,
  m161,
  m162,
  m163,
  m164,
  m165,
  m166,
  m167,
  m168,
  m169,
  m170,
  m171,
  m172,
  m173,
  m174,
  m175,
  m176,
  m177,
  m178,
  m179,
  m180,
  m181,
  m182,
  m183,
  m184,
  m185,
  m186,
  m187,
  m188,
  m189,
  m190,
  m191,
  m192,
  m193,
  m194,
  m195,
  m196,
  m197,
  m198,
  m199,
  m200,
  m201,
  m202,
  m203,
  m204,
  m205,
  m206,
  m207,
  m208,
  m209,
  m210,
  m211,
  m212,
  m213,
  m214,
  m215,
  m216,
  m217,
  m218,
  m219,
  m220,
  m221,
  m222,
  m223,
  m224,
  m225,
  m226,
  m227,
  m228,
  m229,
  m230,
  m231,
  m232,
  m233,
  m234,
  m235,
  m236,
  m237,
  m238,
  m239,
  m240,
  m241,
  m242,
  m243,
  m244,
  m245,
  m246,
  m247,
  m248,
  m249,
  m250,
  m251,
  m252,
  m253,
  m254,
  m255,
  m256,
  m257,
  m258,
  m259,
  m260,
  m261,
  m262,
  m263,
  m264,
  m265,
  m266,
  m267,
  m268,
  m269,
  m270,
  m271,
  m272,
  m273,
  m274,
  m275,
  m276,
  m277,
  m278,
  m279,
  m280,
  m281,
  m282,
  m283,
  m284,
  m285,
  m286,
  m287,
  m288,
  m289,
  m290,
  m291,
  m292,
  m293,
  m294,
  m295,
  m296,
  m297,
  m298,
  m299,
  m300,
  m301,
  m302,
  m303,
  m304,
  m305,
  m306,
  m307,
  m308,
  m309,
  m310,
  m311,
  m312,
  m313,
  m314,
  m315,
  m316,
  m317,
  m318,
  m319,
  m320,
  m321,
  m322,
  m323,
  m324,
  m325,
  m326,
  m327,
  m328,
  m329,
  m330,
  m331,
  m332,
  m333,
  m334,
  m335,
  m336,
  m337,
  m338,
  m339,
  m340,
  m341,
  m342,
  m343,
  m344,
  m345,
  m346,
  m347,
  m348,
  m349,
  m350,
  m351,
  m352,
  m353,
  m354,
  m355,
  m356,
  m357,
  m358,
  m359,
  m360,
  m361,
  m362,
  m363,
  m364,
  m365,
  m366,
  m367,
  m368,
  m369,
  m370,
  m371,
  m372,
  m373,
  m374,
  m375,
  m376,
  m377,
  m378,
  m379,
  m380,
  m381,
  m382,
  m383,
  m384,
  m385,
  m386,
  m387,
  m388,
  m389,
  m390,
  m391,
  m392,
  m393,
  m394,
  m395,
  m396,
  m397,
  m398,
  m399,
  m400,
  m401,
  m402,
  m403,
  m404,
  m405,
  m406,
  m407,
  m408,
  m409,
  m410,
  m411,
  m412,
  m413,
])
