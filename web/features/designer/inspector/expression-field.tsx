import { chakra } from '@chakra-ui/react'
import { Plus } from 'lucide-react'
import { use, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Outcome } from '#domain/expression/engine.ts'
import type { TemplateKind } from '#domain/expression/template.ts'
import { isPlainName } from '#domain/flow/variable/variable-use.ts'
import { evaluator } from '#web/expression/evaluator.ts'
import { expressionSupport } from '#web/expression/expression-support.ts'
import { type Checked, type EditedLanguage, type Finding, findingMessageKey } from '#web/expression/expression-text.ts'
import { useKnownVariables } from '../blocks/try-out/use-trial-inputs.ts'
import { memberPreview, membersOf, useTrialResults } from '../blocks/try-out/use-try.ts'
import { useNames } from '../session/flow-names.ts'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'
import { VariableValuesContext } from './form-context.ts'
import type { SampledVariable } from './sample-values.ts'
import { useCreateVariable } from './use-create-variable.ts'

interface CreateUnknownProps {
  readonly name: string
  /** Required type; default: text. */
  readonly wanted?: { readonly datatype: string; readonly schema: string }
}

const TEXT = { datatype: 'string', schema: '' }

/** Under what names a variable that nobody declared: declares it. */
export const DeclareVariable = ({ name, wanted = TEXT }: CreateUnknownProps) => {
  const { t } = useTranslation('designer')
  const { may, create, isPending, refused } = useCreateVariable()
  if (!may || !isPlainName(name)) return null
  const declare = () => void create({ name, ...wanted }).catch(() => undefined)
  return (
    <>
      <button type="button" className="pl-open" disabled={isPending} onClick={declare}>
        <Plus size={13} aria-hidden />
        {t('uses.create', { name })}
      </button>
      {refused === undefined ? null : (
        <chakra.p role="alert" fontSize="xs" color="danger.fg">
          {refused}
        </chakra.p>
      )}
    </>
  )
}

interface ExpressionFieldProps extends Omit<CodeEditorProps, 'extension' | 'invalid'> {
  readonly language: EditedLanguage
}

/** A language by one word: the same word, the same language. */
const languageOf = (kind: TemplateKind | UnfilledKind): EditedLanguage =>
  isUnfilled(kind) ? { kind } : { kind: 'template', template: kind }

/** Languages without placeholders. */
type UnfilledKind = 'path' | 'rule' | 'names'
const isUnfilled = (kind: TemplateKind | UnfilledKind): kind is UnfilledKind =>
  kind === 'path' || kind === 'rule' || kind === 'names'

interface CheckedText {
  readonly text: string
  readonly checked: Checked
}

const MAX_RESULT_LENGTH = 200
const shownResult = (value: unknown): string => {
  const text =
    value === undefined ? '–' : typeof value === 'string' ? `“${value}”` : (JSON.stringify(value) ?? String(value))
  return text.length > MAX_RESULT_LENGTH ? `${text.slice(0, MAX_RESULT_LENGTH)}…` : text
}

/** Names of data types, and members of values that variables had. */
const useCompletionWords = (known: readonly SampledVariable[]) => {
  const { t } = useTranslation('designer')
  const typeWords = useCallback((type: string) => t(`try.type.${type}`, { defaultValue: type }), [t])
  const tried = useTrialResults(known)
  const members = useCallback(
    (path: string) =>
      membersOf(tried, path)
        .filter(member => member.path.startsWith(path))
        .map(member => ({
          name: member.path.slice(path.length),
          detail: memberPreview(member.value),
          isLeaf: typeof member.value !== 'object',
        })),
    [tried],
  )
  return useMemo(() => ({ typeWords, members }), [typeWords, members])
}

/** An expression with its colours, what can be written next, what is wrong and where, and what it gives for sample values. */
export const ExpressionField = ({ language, ...props }: ExpressionFieldProps) => {
  const { t } = useTranslation('designer')
  const { bot } = useNames()
  const { known, isWhole } = useKnownVariables()
  const samples = useTrialResults(known)
  const values = use(VariableValuesContext) ?? samples
  const parser = bot?.expressionparser ?? 'Jexl'
  const pathParser = bot?.jsonpathparser ?? 'JSONPath'
  const [told, setTold] = useState<CheckedText>()
  const [outcome, setOutcome] = useState<Outcome<unknown>>()
  const kind = language.kind === 'template' ? language.template : language.kind
  const words = useMemo(() => (finding: Finding) => t(findingMessageKey(finding), { name: finding.name ?? '' }), [t])
  const completion = useCompletionWords(known)
  const extension = useMemo(
    () =>
      expressionSupport({
        reading: { language: languageOf(kind), parser, pathParser },
        ...{ variables: known, isWhole, words, ...completion },
        tell: (text, checked) => setTold({ text, checked }),
      }),
    [kind, parser, pathParser, known, isWhole, completion, words],
  )
  useEffect(() => {
    let isLeft = false
    setOutcome(undefined)
    if (told === undefined || !told.checked.evaluable || isUnfilled(kind)) return
    void evaluator
      .evaluate({ kind: 'template', text: told.text, template: kind, parser, context: values })
      .then(made => isLeft || setOutcome(made))
    return () => {
      isLeft = true
    }
  }, [told, kind, parser, values])
  const [finding] = told?.checked.findings ?? []
  const failed: Finding | undefined = finding ?? (outcome?.ok === false ? outcome.fault : undefined)
  const note = failed === undefined ? undefined : words(failed)
  const noteId = `${props.id}-said`
  const describedBy = [note === undefined && outcome === undefined ? undefined : noteId, props.describedBy]
    .filter(each => each !== undefined)
    .join(' ')
  const isWrong =
    failed !== undefined && failed.code !== 'unknown' && (failed.code !== 'value' || failed.name === 'JSON')
  return (
    <>
      <CodeEditor
        {...props}
        extension={extension}
        invalid={isWrong}
        {...(describedBy === '' ? { describedBy: undefined } : { describedBy })}
      />
      {note !== undefined && (
        <chakra.p id={noteId} fontSize="xs" mt="1" color={isWrong ? 'danger.fg' : 'warning.fg'}>
          {note}
        </chakra.p>
      )}
      {finding?.code === 'unknown' && <DeclareVariable name={finding.name ?? ''} />}
      {note === undefined && outcome?.ok === true && told?.checked.computed === true && (
        <chakra.p id={noteId} fontSize="xs" mt="1" color="fg.muted" overflowWrap="anywhere">
          {t('expression.result', { value: shownResult(outcome.value) })}
        </chakra.p>
      )}
    </>
  )
}
