import { useTranslation } from 'react-i18next'
import { readTestFile } from '#domain/conversation-test/read-test-file.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import type { SectionControlProps } from './section-control-props.ts'
import { type FileCheck, ValidatedFileEditor } from './validated-file-editor.tsx'

const MAX_LENGTH = 262_144
const ROWS = 24

interface TestFileProps extends Pick<SectionControlProps, 'values' | 'readOnly' | 'onChange'> {
  readonly rows?: number
}

/** The file of a conversation test as text, uploaded or typed, and what is wrong in it by line. */
export const TestFileControl = ({ values, readOnly, rows = ROWS, onChange }: TestFileProps) => {
  const { t } = useTranslation('entity/conversationtest')
  const problemText = useProblemText()
  const check = (source: string): FileCheck => {
    const read = readTestFile(source)
    if (read.ok) return { ok: true, text: t('check.valid', { count: read.file.steps.length }) }
    const faults = read.errors.map(({ line, code, text = '' }) => ({
      line,
      column: 1,
      link: problemText('field.testfile', { rule: code, line, name: text }),
    }))
    return { ok: false, faults }
  }
  return (
    <ValidatedFileEditor
      label={t('field.file.label')}
      uploadLabel={t('check.upload')}
      hint={t('field.file.hint')}
      value={typeof values.file === 'string' ? values.file : ''}
      max={MAX_LENGTH}
      rows={rows}
      accept=".yaml,.yml,.json"
      readOnly={readOnly}
      check={check}
      onFile={file => void file.text().then(text => onChange('file', text))}
      onChange={value => onChange('file', value === '' ? null : value)}
    />
  )
}
