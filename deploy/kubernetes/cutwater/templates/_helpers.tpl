{{- define "cutwater.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Labels of the release by which pods are selected; they must not change in an upgrade. */}}
{{- define "cutwater.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "cutwater.labels" -}}
{{ include "cutwater.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: cutwater
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "cutwater.toolsImage" -}}
{{ .Values.images.tools.repository }}:{{ default .Chart.AppVersion .Values.images.tools.tag }}
{{- end -}}

{{- define "cutwater.jobImage" -}}
{{ .Values.images.job.repository }}:{{ default .Chart.AppVersion .Values.images.job.tag }}
{{- end -}}

{{- define "cutwater.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "cutwater.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Whether Kafka's clients have properties: "true" or nothing. */}}
{{- define "cutwater.hasKafkaProperties" -}}
{{- if or .Values.kafka.existingSecret .Values.strimzi.users.enabled -}}true{{- end -}}
{{- end -}}

{{/* Environment of a process that talks to Kafka as a user of Strimzi; takes the context and the user's role. */}}
{{- define "cutwater.kafkaEnv" -}}
{{- $context := index . 0 -}}
{{- $user := printf "%s-%s" (include "cutwater.fullname" $context) (index . 1) -}}
{{- if and $context.Values.strimzi.users.enabled (not $context.Values.kafka.existingSecret) }}
- name: KAFKA_USER_KEY
  valueFrom:
    secretKeyRef:
      name: {{ $user }}
      key: user.key
- name: KAFKA_USER_CERTIFICATE
  valueFrom:
    secretKeyRef:
      name: {{ $user }}
      key: user.crt
- name: KAFKA_CA_CERTIFICATE
  valueFrom:
    secretKeyRef:
      name: {{ $context.Values.strimzi.cluster }}-cluster-ca-cert
      key: ca.crt
{{- end }}
{{- end -}}

{{- define "cutwater.kafkaVolume" -}}
{{- if .Values.kafka.existingSecret }}
- name: kafka
  secret:
    secretName: {{ .Values.kafka.existingSecret }}
    items:
      - key: kafka.properties
        path: kafka.properties
{{- else if .Values.strimzi.users.enabled }}
- name: kafka
  configMap:
    name: {{ include "cutwater.fullname" . }}-kafka
{{- end }}
{{- end -}}

{{- define "cutwater.kafkaMount" -}}
{{- if include "cutwater.hasKafkaProperties" . }}
- name: kafka
  mountPath: /etc/cutwater/kafka
  readOnly: true
{{- end }}
{{- end -}}

{{/* Options of every command that talks to Kafka. */}}
{{- define "cutwater.kafkaArguments" -}}
- --bootstrap-servers
- {{ .Values.kafka.bootstrapServers | quote }}
{{- with .Values.kafka.topicPrefix }}
- --topic-prefix
- {{ . | quote }}
{{- end }}
{{- if include "cutwater.hasKafkaProperties" . }}
- --kafka-properties
- /etc/cutwater/kafka/kafka.properties
{{- end }}
{{- end -}}

{{/* Takes the id of the image's user. */}}
{{- define "cutwater.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "cutwater.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* A page that is reached from other pods has credentials and TLS, or is said to be insecure. */}}
{{- define "cutwater.pageIsShared" -}}
{{- if or .Values.page.insecure (and .Values.page.existingPasswordSecret .Values.page.existingTlsSecret) -}}true{{- end -}}
{{- end -}}

{{/* Environment of a Java process whose root file system is read-only. */}}
{{- define "cutwater.toolsEnv" -}}
- name: HOME
  value: /scratch
- name: DJL_CACHE_DIR
  value: /scratch/djl
- name: CUTWATER_JAVA_OPTS
  value: -Duser.home=/scratch -Djava.io.tmpdir=/scratch
{{- end -}}

{{/* What Flink 2.3 needs on Java 17; the same as flink.openings of the parent pom, which a test compares. */}}
{{- define "cutwater.javaOpenings" -}}
--add-exports=java.base/sun.net.util=ALL-UNNAMED --add-exports=java.management/sun.management=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.net=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.lang.reflect=ALL-UNNAMED --add-opens=java.base/java.text=ALL-UNNAMED --add-opens=java.base/java.time=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.util.concurrent=ALL-UNNAMED --add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED --add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED
{{- end -}}

{{/* Takes the context and the port. */}}
{{- define "cutwater.metricsIngress" -}}
{{- $context := index . 0 -}}
- from:
    {{- if $context.Values.networkPolicy.metricsFrom }}
    {{- toYaml $context.Values.networkPolicy.metricsFrom | nindent 4 }}
    {{- else }}
    - namespaceSelector: {}
    {{- end }}
  ports:
    - port: {{ index . 1 }}
      protocol: TCP
{{- end -}}

{{- define "cutwater.kafkaEgress" -}}
- ports:
    - port: 53
      protocol: UDP
    - port: 53
      protocol: TCP
    - port: {{ .Values.kafka.port }}
      protocol: TCP
{{- end -}}
