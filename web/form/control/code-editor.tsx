import { Box } from '@chakra-ui/react'
import type { Extension } from '@codemirror/state'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ExpressionLanguage } from '#schemas/field/core.ts'
import { CodePane } from '#web/components/code-pane.tsx'
import { completion } from '#web/components/editor-completion.ts'
import { syntaxErrors } from '#web/components/editor-theme.ts'
import { expressionSupport } from '#web/expression/expression-support.ts'
import type { Finding, Reading } from '#web/expression/expression-text.ts'
import { useProblemText } from '../use-problem-text.ts'
import type { CodeProps } from './control-props.ts'

/** No variables: nothing to complete, no data types to name. */
const PLAIN = { members: () => [], typeWords: (type: string) => type }
const DEFAULTS = { parser: 'Jexl', pathParser: 'JSONPath' } as const

/** As the server reads it: domain/field/validate.ts. Undefined for a script, whose syntax is not checked. */
const readingOf = (language: ExpressionLanguage): Reading | undefined => {
  switch (language) {
    case 'javascript':
      return undefined
    case 'text':
    case 'json':
      return { ...DEFAULTS, language: { kind: 'template', template: language } }
    case 'jsonpath':
      return { ...DEFAULTS, language: { kind: 'path' } }
    default:
      return { ...DEFAULTS, language: { kind: 'whole', engine: language } }
  }
}

/** Completion and checks, with the server's messages. */
const useExtension = ({ language, expression }: CodeProps): Extension => {
  const { t } = useTranslation('shell')
  const problemText = useProblemText()
  return useMemo(() => {
    const reading = expression === undefined ? undefined : readingOf(expression)
    if (reading !== undefined) {
      const words = ({ code, name }: Finding) =>
        problemText('field.expression', { rule: code, ...(name === undefined ? {} : { name }) })
      return expressionSupport({ reading, variables: [], isWhole: false, ...PLAIN, words, tell: () => {} })
    }
    return [completion([]), ...(language === 'json' ? [syntaxErrors(t('form.json'), () => {})] : [])]
  }, [language, expression, problemText, t])
}

const LINE_PX = 20
const PADDING_PX = 14

/** The editor of a field with code or an expression. */
export const CodeEditor = (props: CodeProps) => {
  const { id, value, onChange, language, expression, rows, density, describedBy, invalid } = props
  const extension = useExtension(props)
  const isFixed = props.readOnly === true || props.disabled === true
  return (
    <Box w="100%" display="grid" opacity={props.disabled === true ? 0.5 : undefined}>
      <CodePane
        id={id}
        value={value}
        onChange={isFixed ? undefined : onChange}
        language={expression === 'javascript' ? 'javascript' : language}
        extension={extension}
        lineNumbers={expression === undefined && density !== 'compact'}
        minHeight={`${(value === '' && isFixed ? 1 : rows) * LINE_PX + PADDING_PX}px`}
        maxHeight={`${(density === 'compact' ? 10 : 26) * LINE_PX + PADDING_PX}px`}
        describedBy={describedBy}
        {...(invalid === true ? { invalid } : {})}
      />
    </Box>
  )
}
