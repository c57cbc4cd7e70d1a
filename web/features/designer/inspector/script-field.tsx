import { javascript } from '@codemirror/lang-javascript'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { codeColors } from './code-colors.ts'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'
import { scriptSyntax } from './script-syntax.ts'

/** JavaScript with its colours, and where it can not be read. */
export const ScriptField = (props: Omit<CodeEditorProps, 'extension'>) => {
  const { t } = useTranslation('designer')
  const language = useMemo(() => [javascript(), codeColors, scriptSyntax(t('script.syntax'))], [t])
  return <CodeEditor {...props} extension={language} />
}
