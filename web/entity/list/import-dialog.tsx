import { Box, Button, HStack, Spinner, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { FileUp, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { isProblem, type Problem } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { bytesOf } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'
import { FileInput, FilePicker } from './file-picker.tsx'
import { FieldErrors, ImportPreview } from './import-preview.tsx'
import {
  applyImport,
  dryRun,
  type ImportResult,
  type ImportSource,
  MAX_IMPORT_BYTES,
  refusedRecords,
} from './import-query.ts'

interface ChosenSource extends ImportSource {
  readonly file: File
}

/** Why the file as a whole could not be read; `errors` name its columns. */
type Failure = Pick<Problem, 'message'> & Partial<Pick<Problem, 'errors'>>

type Step =
  | { readonly name: 'choose' }
  | { readonly name: 'checking' }
  | { readonly name: 'preview'; readonly result: ImportResult; readonly isRefused: boolean }

/** A whole import that was refused, as the preview shows it. */
const refusedResult = (problem: Problem): ImportResult | undefined => {
  const refused = refusedRecords(problem)
  return refused === undefined ? undefined : { rows: refused.length, created: 0, changed: 0, unchanged: 0, refused }
}

interface Props {
  readonly entity: EntityDeclaration
  /** The parent of the listed rows. */
  readonly fixed: Readonly<Record<string, string>>
  /** The process that wrote it. */
  onWritten(process: string): void
  onClose(): void
}

const useImport = ({ entity, fixed, onWritten, onClose }: Props) => {
  const { t } = useTranslation('list')
  const client = useQueryClient()
  const label = useLabel()
  const [chosen, setChosen] = useState<ChosenSource>()
  const [step, setStep] = useState<Step>({ name: 'choose' })
  const [error, setError] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const fail = (failure: unknown, before: Step) => {
    const result = isProblem(failure) ? refusedResult(failure) : undefined
    if (result !== undefined) return setStep({ name: 'preview', result, isRefused: true })
    setStep(before)
    setError(isProblem(failure) ? failure : { message: t('import.unreadable') })
  }
  const choose = async (file: File) => {
    setError(undefined)
    // Another key for each choice of a file: pressing the button again after a failure imports nothing twice.
    const source = { entity, fixed, file, key: crypto.randomUUID() }
    setChosen(source)
    setStep({ name: 'choose' })
    if (file.size > MAX_IMPORT_BYTES)
      return setError({ message: t('import.toolarge', { max: bytesOf(MAX_IMPORT_BYTES) }) })
    if (file.size === 0) return setError({ message: t('import.nothing') })
    setStep({ name: 'checking' })
    try {
      const result = await dryRun(source)
      setStep({ name: 'preview', result, isRefused: result.refused.length > 0 })
    } catch (failure) {
      fail(failure, { name: 'choose' })
    }
  }
  const apply = async () => {
    if (chosen === undefined) return
    setBusy(true)
    setError(undefined)
    try {
      const { created, changed, process } = await applyImport(chosen)
      await client.invalidateQueries()
      notice.toast(t('import.done', { name: label.plural(entity.name), created, changed }), { tone: 'positive' })
      if (process !== undefined) onWritten(process)
      onClose()
    } catch (failure) {
      fail(failure, step)
      setBusy(false)
    }
  }
  return { chosen, step, error, isBusy, choose, apply }
}

/** Reads a CSV file: a dry run shows what each row would do, then all of it is written or nothing. */
export const ImportDialog = (props: Props) => {
  const { entity, onClose } = props
  const { t } = useTranslation('list')
  const { t: ts } = useTranslation('shell')
  const label = useLabel()
  const input = useRef<HTMLInputElement>(null)
  const { chosen, step, error, isBusy, choose, apply } = useImport(props)
  const writes = step.name === 'preview' ? step.result.created + step.result.changed : 0
  const mayApply = step.name === 'preview' && !step.isRefused && writes > 0
  return (
    <Modal
      open
      width={720}
      icon={<FileUp size={18} aria-hidden="true" />}
      title={t('import.title', { name: inSentence(label.plural(entity.name)) })}
      onClose={() => (isBusy ? undefined : onClose())}
      footer={
        <>
          {chosen === undefined ? null : (
            <Button disabled={isBusy || step.name === 'checking'} onClick={() => input.current?.click()}>
              <Upload size={15} aria-hidden="true" />
              {t('import.another')}
            </Button>
          )}
          <Text flex="1" />
          <Button variant="ghost" disabled={isBusy} onClick={onClose}>
            {ts('cancel')}
          </Button>
          <Button variant="solid" disabled={!mayApply} loading={isBusy} onClick={() => void apply()}>
            {writes === 0 ? t('import.do') : t('import.apply', { count: writes })}
          </Button>
        </>
      }
    >
      <FileInput ref={input} accept=".csv,text/csv" label={t('import.choose')} onChoose={file => void choose(file)} />
      {chosen === undefined ? (
        <FilePicker onChoose={() => input.current?.click()} onDrop={file => void choose(file)} />
      ) : (
        <Text textStyle="dense" color="fg.muted" mb="3" overflowWrap="anywhere">
          {chosen.file.name} · {bytesOf(chosen.file.size)}
        </Text>
      )}
      {step.name === 'checking' ? (
        <HStack role="status" gap="2.5" py="4" textStyle="dense">
          <Spinner size="sm" />
          {t('import.checking')}
        </HStack>
      ) : null}
      {step.name === 'preview' ? (
        <ImportPreview entity={entity} result={step.result} isRefused={step.isRefused} />
      ) : null}
      {error === undefined ? null : (
        <Box mt="3">
          <ErrorLine text={error.message}>
            {error.errors === undefined ? null : <FieldErrors entity={entity} errors={error.errors} />}
          </ErrorLine>
        </Box>
      )}
    </Modal>
  )
}
