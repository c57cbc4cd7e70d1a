import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { Modal } from '#web/components/modal.tsx'
import { UploadProgress, useUploadProgress } from '#web/components/upload-progress.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { notice } from '#web/notice/notice.ts'

type Preview = AnswerOf<'POST /nluproject/{id}/upload'>

const ENTITIES = ['intent', 'nluprojectentity', 'synonym', 'regex', 'story'] as const
const TONES = { added: 'positive', changed: 'accent', unchanged: 'neutral', refused: 'danger' } as const
const OUTCOMES = ['added', 'changed', 'unchanged', 'refused'] as const
/** Rows of a preview that are drawn. */
const MAX_ROWS = 200

/** Result of the last call, and its file. */
interface Standing {
  readonly file?: File
  readonly preview?: Preview
}

const faultOf = (error: unknown, plain: string): string =>
  isProblem(error) && error.status > 0 ? (error.errors?.[0]?.message ?? error.message) : plain

const useUpload = (project: string, onDone: () => void) => {
  const { t } = useTranslation('nlu')
  const client = useQueryClient()
  const [standing, setStanding] = useState<Standing>({})
  const progress = useUploadProgress()
  const send = async (file: File, dryrun: boolean) => {
    setStanding({ file })
    await progress.run(
      async options => {
        const of = { params: { id: project }, query: { dryrun } }
        const preview = await http.upload('/nluproject/{id}/upload', file, { ...of, ...options })
        if (dryrun) return setStanding({ file, preview })
        await client.invalidateQueries()
        notice.snack(t('file.done'), { tone: 'positive' })
        onDone()
      },
      error => faultOf(error, t('file.failed')),
    )
  }
  return { standing, progress, send }
}

const Rows = ({ preview: { rows, notunderstood } }: { readonly preview: Preview }) => {
  const { t } = useTranslation('nlu')
  const label = useLabel()
  const told = rows.filter(({ outcome }) => outcome !== 'unchanged').slice(0, MAX_ROWS)
  return (
    <>
      <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="md" maxH="260px" overflow="auto">
        {told.map(({ entity, name, outcome, count, errors = [] }) => (
          <Box as="li" key={`${entity} ${name}`} px="3" py="1.5" borderBottomWidth="1px" textStyle="dense">
            <HStack gap="2">
              <Text as="span" color="fg.muted" flex="none">
                {label.name(entity)}
              </Text>
              <Text as="span" fontFamily="mono" flex="1" minW="0" truncate title={name}>
                {name}
              </Text>
              {count > 0 ? <Text as="span">+{count}</Text> : null}
              <Chip tone={TONES[outcome]}>{t(`file.outcome.${outcome}`)}</Chip>
            </HStack>
            {errors.map(error => (
              <Text key={`${error.path}${error.message}`} color="danger.fg" textStyle="secondary">
                {error.message}
              </Text>
            ))}
          </Box>
        ))}
        {told.length === 0 ? (
          <Text as="li" px="3" py="2" color="fg.muted" textStyle="dense">
            {t('file.nothing')}
          </Text>
        ) : null}
      </Box>
      {notunderstood.length === 0 ? null : (
        <chakra.details mt="3" textStyle="dense">
          <chakra.summary cursor="pointer" focusVisibleRing="outside">
            {t('file.unreadtitle', { count: notunderstood.length })}
          </chakra.summary>
          <Box as="ul" ps="5" maxH="160px" overflow="auto" color="fg.muted">
            {notunderstood.slice(0, MAX_ROWS).map(({ path, code, name }) => (
              <li key={`${path} ${code} ${name}`}>
                {t(`unread.${code}`, { defaultValue: code })}: {name} ({path})
              </li>
            ))}
          </Box>
        </chakra.details>
      )}
    </>
  )
}

const FileChoice = ({ text, onChoose }: { readonly text: string; onChoose(file: File): void }) => {
  const { t } = useTranslation('nlu')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        accept=".yml,.yaml,.json,.jsonl,.md,.csv,.zip"
        aria-label={t('file.choose')}
        hidden
        onChange={event => {
          const [given] = event.target.files ?? []
          if (given !== undefined) onChoose(given)
          event.target.value = ''
        }}
      />
      <HStack gap="3">
        <Button data-autofocus onClick={() => input.current?.click()}>
          {t('file.choose')}
        </Button>
        <Text textStyle="dense" truncate>
          {text}
        </Text>
      </HStack>
    </>
  )
}

const Outcome = ({ preview }: { preview: Preview | undefined }) => {
  const { t } = useTranslation('nlu')
  if (preview === undefined) return null
  return (
    <Box role="status">
      <HStack gap="2" mb="2" flexWrap="wrap">
        {OUTCOMES.filter(outcome => preview[outcome] > 0).map(outcome => (
          <Chip key={outcome} tone={TONES[outcome]}>
            {t(`file.${outcome}`, { count: preview[outcome] })}
          </Chip>
        ))}
      </HStack>
      <Rows preview={preview} />
    </Box>
  )
}

/** Imports training data after a preview of the changes. */
export const UploadDialog = ({ project, onClose }: { readonly project: string; onClose(): void }) => {
  const { t } = useTranslation('nlu')
  const { t: shell } = useTranslation('shell')
  const { standing, progress, send } = useUpload(project, onClose)
  useEntityTexts(ENTITIES)
  const { file, preview } = standing
  const isApplicable = preview !== undefined && preview.refused === 0 && preview.added + preview.changed > 0
  return (
    <Modal
      open
      width={640}
      onClose={onClose}
      title={t('file.title')}
      icon={<FileUp size={18} aria-hidden="true" />}
      footer={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button
            variant="solid"
            disabled={!isApplicable}
            loading={progress.busy && file !== undefined}
            onClick={() => file && void send(file, false)}
          >
            {t('file.apply')}
          </Button>
        </>
      }
    >
      <Stack gap="3">
        <Text textStyle="dense" color="fg.muted">
          {t('file.text')}
        </Text>
        <FileChoice
          text={progress.busy ? t('file.reading') : (file?.name ?? '')}
          onChoose={given => void send(given, true)}
        />
        <UploadProgress {...progress} />
        <Outcome preview={preview} />
      </Stack>
    </Modal>
  )
}
