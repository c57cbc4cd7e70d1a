import { javascript } from '@codemirror/lang-javascript'
import { codeColors } from './code-colors.ts'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'

const language = [javascript(), codeColors]

/** JavaScript with its colours. */
export const ScriptField = (props: Omit<CodeEditorProps, 'extension'>) => <CodeEditor {...props} extension={language} />
