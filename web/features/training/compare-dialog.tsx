import { Box, Button, HStack, SimpleGrid, Spinner, Stack, Text } from '@chakra-ui/react'
import { FileUp, GitCompareArrows, Rocket } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseStatement } from '#domain/nlu/project-data.ts'
import type { ListedModel } from '#domain/nlu-training.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { RowOf } from '#schemas/row.ts'
import { isProblem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { useRunningBotsNotice } from '#web/entity/use-running-bots-notice.ts'
import { type Comparison, figureOf, type Parent, useComparison } from '#web/nlu/training-status.tsx'
import { notice } from '#web/notice/notice.ts'
import { Tile } from './evaluation-pane.tsx'
import { type LabelledLine, readLabelledLines } from './labelled-lines.ts'

interface Props {
  readonly parent: Parent
  readonly project: RowOf<'nluproject' | 'brain'>
  readonly model: ListedModel
  readonly other: ListedModel | undefined
  onClose(): void
}

type Line = Comparison['changed'][number]
type Kind = 'worse' | 'better' | 'changed'
const KINDS: readonly Kind[] = ['worse', 'better', 'changed']

const kindOf = ({ intent, model, other }: Line): Kind =>
  model.intent === intent ? 'better' : other.intent === intent ? 'worse' : 'changed'

const Verdict = ({ verdict, intent, number }: { verdict: Line['model']; intent: string; number: number }) => {
  const { t } = useTranslation('training')
  return (
    <HStack gap="1.5" minW="0">
      <Text as="span" textStyle="secondary" color="fg.muted" flex="none">
        {t('model', { number })}
      </Text>
      <Chip tone={verdict.intent === intent ? 'positive' : 'warning'} minW="0" flexShrink="1">
        <Text as="span" fontFamily="mono" truncate>
          {verdict.intent ?? t('nothing')}
        </Text>
        {t('figure', { value: verdict.confidence })}
      </Chip>
    </HStack>
  )
}

/** Lines that a bot would take differently with the other model. */
const ChangedLines = ({ lines, model, other }: { lines: readonly Line[]; model: ListedModel; other: ListedModel }) => {
  const { t } = useTranslation('training')
  const [kind, setKind] = useState<Kind>(() => KINDS.find(each => lines.some(line => kindOf(line) === each)) ?? 'worse')
  const counts = Map.groupBy(lines, kindOf)
  return (
    <>
      <Segments<Kind>
        label={t('compare.show')}
        value={kind}
        options={KINDS.map(value => ({
          value,
          label: t(`compare.kind.${value}`, { count: counts.get(value)?.length ?? 0 }),
        }))}
        onChange={setKind}
      />
      <Stack
        as="ul"
        listStyleType="none"
        gap="0"
        mt="2"
        maxH="320px"
        overflow="auto"
        borderWidth="1px"
        borderRadius="lg"
        aria-label={t('compare.lines')}
        tabIndex={0}
      >
        {(counts.get(kind) ?? []).map(line => (
          <Box
            as="li"
            key={`${line.intent} ${line.text}`}
            px="3"
            py="2"
            borderBottomWidth="1px"
            _last={{ border: '0' }}
          >
            <Text textStyle="dense" overflowWrap="anywhere">
              {parseStatement(line.text).text}{' '}
              <Text as="span" fontFamily="mono" fontSize="xs" color="fg.muted">
                {line.intent}
              </Text>
            </Text>
            <HStack mt="1" gap="3" flexWrap="wrap">
              <Verdict verdict={line.other} intent={line.intent} number={other.number} />
              <Verdict verdict={line.model} intent={line.intent} number={model.number} />
            </HStack>
          </Box>
        ))}
        {counts.has(kind) ? null : (
          <Text as="li" textStyle="dense" color="fg.muted" p="4" textAlign="center">
            {t('compare.none')}
          </Text>
        )}
      </Stack>
    </>
  )
}

const Difference = ({ parent, project, model, other }: Omit<Props, 'onClose' | 'other'> & { other: ListedModel }) => {
  const { t } = useTranslation('training')
  const [file, setFile] = useState<LabelledFile>()
  const { data, error } = useComparison(parent, project.id, { model: model.id, other: other.id }, file?.lines)
  if (error) return <ErrorLine text={isProblem(error) ? error.message : t('compare.failed')} />
  if (data === undefined) return <Spinner aria-label={t('compare.reading')} />
  const part = (right: number) => t('percent', { value: data.lines === 0 ? 0 : right / data.lines })
  return (
    <>
      <HStack mb="3" gap="2" flexWrap="wrap" justify="space-between">
        <Text textStyle="dense" color="fg.muted">
          {file === undefined
            ? t('compare.basis', { count: data.lines })
            : t('compare.ofile', { count: data.lines, file: file.name })}
        </Text>
        <ChooseLines file={file} onChoose={setFile} />
      </HStack>
      <SimpleGrid columns={{ base: 2, md: 4 }} gap="2" mb="4">
        <Tile label={t('compare.right', { number: model.number })} value={part(data.right)} />
        <Tile label={t('compare.right', { number: other.number })} value={part(data.otherRight)} />
        <Tile label={t('compare.better')} value={String(data.better)} tone="positive" />
        <Tile label={t('compare.worse')} value={String(data.worse)} tone="warning" />
      </SimpleGrid>
      <ChangedLines lines={data.changed} model={model} other={other} />
      {data.total > data.changed.length ? (
        <Text textStyle="secondary" color="fg.muted" mt="2">
          {t('compare.more', { shown: data.changed.length, count: data.total })}
        </Text>
      ) : null}
    </>
  )
}

interface LabelledFile {
  readonly name: string
  readonly lines: readonly LabelledLine[]
}

/** Chooses a file of lines to compare on instead, or goes back. */
const ChooseLines = ({ file, onChoose }: { file: LabelledFile | undefined; onChoose(file?: LabelledFile): void }) => {
  const { t } = useTranslation('training')
  const input = useRef<HTMLInputElement>(null)
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    const lines = readLabelledLines(await chosen.text())
    if (lines.length === 0) notice.toast(t('compare.nolines', { file: chosen.name }), { tone: 'danger' })
    else onChoose({ name: chosen.name, lines })
  }
  return file === undefined ? (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.json,.jsonl"
        aria-label={t('compare.choose')}
        onChange={event => void read(event.target.files?.[0])}
      />
      <Button size="xs" variant="outline" onClick={() => input.current?.click()}>
        <FileUp size={13} aria-hidden="true" />
        {t('compare.choose')}
      </Button>
    </>
  ) : (
    <Button size="xs" variant="outline" onClick={() => onChoose(undefined)}>
      {t('compare.back')}
    </Button>
  )
}

const Alone = ({ model }: { readonly model: ListedModel }) => {
  const { t } = useTranslation('training')
  return (
    <Text textStyle="dense" color="fg.muted">
      {t('compare.first', { value: figureOf(model, 'accuracy') ?? 0, count: figureOf(model, 'lines') ?? 0 })}
    </Text>
  )
}

/** Puts a model into production, then reports whether running bots use it. */
const usePromote = ({ parent, project, model, onClose }: Props) => {
  const { t } = useTranslation('training')
  const command = useEntityCommand(ENTITIES[parent])
  const tellRunning = useRunningBotsNotice()
  const [busy, setBusy] = useState(false)
  const promote = async () => {
    setBusy(true)
    const done = await command.act(project, 'setproduction', { model: model.id })
    setBusy(false)
    if (done === undefined) return
    onClose()
    void tellRunning(t('inproduction', { number: model.number }), parent, project.id)
  }
  return { busy, promote }
}

/** Compares two models line by line, with a button to put the model into production. */
export const CompareDialog = (props: Props) => {
  const { parent, project, model, other, onClose } = props
  const { t } = useTranslation('training')
  const { can } = useSession()
  const { busy, promote } = usePromote(props)
  const isOffered = !model.production && can(`setproduction${parent}`)
  return (
    <Modal
      width={760}
      onClose={onClose}
      icon={<GitCompareArrows size={18} aria-hidden="true" />}
      title={
        other === undefined
          ? t('compare.alone', { number: model.number })
          : t('compare.title', { number: model.number, other: other.number })
      }
      footer={
        <>
          <Button onClick={onClose}>{t('compare.close')}</Button>
          {isOffered ? (
            <Button variant="solid" loading={busy} onClick={() => void promote()}>
              <Rocket size={15} aria-hidden="true" />
              {t('compare.promote', { number: model.number })}
            </Button>
          ) : null}
        </>
      }
    >
      {other === undefined ? <Alone model={model} /> : <Difference {...{ parent, project, model, other }} />}
      {isOffered ? (
        <Text textStyle="secondary" color="fg.muted" mt="3">
          {t(parent === 'brain' ? 'compare.effectbrain' : 'compare.effect')}
        </Text>
      ) : null}
    </Modal>
  )
}
