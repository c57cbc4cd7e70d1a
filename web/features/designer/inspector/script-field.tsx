import { javascript } from '@codemirror/lang-javascript'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codeColors, syntaxErrors } from '#web/components/editor-theme.ts'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'

/** JavaScript with its colours, and where it can not be read. */
export const ScriptField = (props: Omit<CodeEditorProps, 'extension' | 'invalid'>) => {
  const { t } = useTranslation('designer')
  const [wrong, setWrong] = useState<number>()
  const language = useMemo(() => [javascript(), codeColors, syntaxErrors(t('script.syntax'), setWrong)], [t])
  const noteId = `${props.id}-said`
  const describedBy = wrong === undefined ? props.describedBy : [noteId, props.describedBy].filter(Boolean).join(' ')
  return (
    <>
      <CodeEditor {...props} extension={language} invalid={wrong !== undefined} describedBy={describedBy} />
      {wrong === undefined ? null : (
        <p id={noteId} className="pl-script-said">
          <b>{t('try.line', { line: wrong })}: </b>
          {t('script.syntax')}
        </p>
      )}
    </>
  )
}
