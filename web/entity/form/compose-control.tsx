import { useTranslation } from 'react-i18next'
import { checkCompose } from '#domain/compose/check-compose.ts'
import { notice } from '#web/notice/notice.ts'
import type { SectionControlProps } from './section-control-props.ts'
import { type FileCheck, ValidatedFileEditor } from './validated-file-editor.tsx'

const MAX_FILE_BYTES = 1_000_000
const MAX_LENGTH = 500_000
const ROWS = 18

/** The compose file as text, read from a file or typed, and what a check finds in it, each fault leading to its line. */
export const ComposeControl = ({ values, readOnly, onChange }: SectionControlProps) => {
  const { t } = useTranslation('entity/deploymentsettings')
  const check = (source: string): FileCheck => {
    const found = checkCompose(source)
    if (found.valid) return { ok: true, text: t('check.valid') }
    const faults = found.errors.map(({ line, column, path, code, text = '' }) => ({
      line,
      column,
      link: t('check.where', { line, column }),
      text: t(`check.code.${code}`, { path, text }),
    }))
    return { ok: false, faults }
  }
  const read = async (file: File) => {
    if (!/\.ya?ml$/i.test(file.name)) return notice.toast(t('check.type'), { tone: 'danger' })
    if (file.size > MAX_FILE_BYTES) return notice.toast(t('check.size'), { tone: 'danger' })
    onChange('compose_file', await file.text())
  }
  return (
    <ValidatedFileEditor
      label={t('field.compose_file.label')}
      uploadLabel={t('check.upload')}
      value={typeof values.compose_file === 'string' ? values.compose_file : ''}
      max={MAX_LENGTH}
      rows={ROWS}
      accept=".yaml,.yml"
      readOnly={readOnly}
      check={check}
      onFile={file => void read(file)}
      onChange={value => onChange('compose_file', value === '' ? null : value)}
    />
  )
}
