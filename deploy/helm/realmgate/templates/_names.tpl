{{- /* Name of all objects of a release: two releases can be in one namespace. */ -}}
{{- define "realmgate.name" -}}
{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- end -}}
{{- define "realmgate.labels" -}}
app: {{ include "realmgate.name" . }}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
