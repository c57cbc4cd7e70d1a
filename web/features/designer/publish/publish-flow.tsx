import { Button, chakra, HStack } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, Minus, Plus, Triangle, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LintFinding } from '#domain/flow/lint/lint-flow.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { CODE, type Going, type Moment } from '#web/entity/flow/pending-changes.ts'
import { liveRevision } from '#web/entity/flow/read-revisions.ts'
import type { Saving } from '#web/features/designer/session/room/delivery.ts'
import { PublishDialog, Published, PublishedDialog } from '#web/features/publish/index.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { Tile } from '../canvas/tile.tsx'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { isMarker, typeName } from '../model/block-appearance.ts'
import { findingMessage } from '../model/finding-messages.ts'
import { plainTitle } from '../model/label.ts'
import { mentionWords } from '../model/link-words.ts'
import { previewOf, previewText } from '../model/preview.ts'
import { type Store, useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'
import { publishRevision, useRollback } from './rollback.ts'
import { type TrialStart, useTrial } from './trial.ts'
import { useUnpublished } from './use-unpublished.ts'

const STORED_TIMEOUT_MS = 10_000
/** A stored edit reaches the history of a busy server within a few of these. */
const HISTORY_PAUSE_MS = 300
const MAX_ATTEMPTS = 10

/** Whether this person's edits are stored, or came to be in time. */
const isStored = (saving: Store<Saving>): Promise<boolean> => {
  if (saving.get().kept === 0) return Promise.resolve(true)
  return new Promise(resolve => {
    const answer = (stored: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(stored)
    }
    const timer = setTimeout(answer, STORED_TIMEOUT_MS, false)
    const stop = saving.subscribe(() => saving.get().kept === 0 && answer(true))
  })
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

interface Publishing {
  readonly busy: boolean
  readonly refused: string | undefined
  readonly isDone: boolean
  /** Revisions that were live before and are live now; undefined where none was, or it is not known. */
  readonly revisions: TrialStart['revisions']
  /** The dialogs to publish. */
  readonly going: readonly Going[]
  /** `reason`: why it goes live although tests fail. */
  publish(reason?: string): Promise<void>
}

/**
 * Publishes the open flow as it is shown. Edits that this person made since the list was read go along; those of others
 * are shown first.
 */
const usePublish = (): Publishing => {
  const { t } = useTranslation('designer')
  const { address, room } = useDesigner()
  const { user } = useSession()
  const names = useNames()
  const queries = useQueryClient()
  const unpublished = useUnpublished(address, names.flow)
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const [revisions, setRevisions] = useState<TrialStart['revisions']>()

  const isOthers = ({ authors }: Moment) => authors.some(({ id }) => id !== user.id)
  /** The words that say why it is not published; undefined when it is. */
  const attempt = async (why: string | undefined): Promise<string | undefined> => {
    if (!(await isStored(room.saving))) return t('publish.unstored')
    for (let attempts = 1; ; attempts += 1) {
      const now = await unpublished.recount()
      const since = now.moments.filter(({ revision }) => revision > (unpublished.revision ?? 0))
      if (since.some(isOthers)) return t('publish.moved')
      try {
        await publishRevision(address, now.revision === undefined ? {} : { flowrevision: now.revision }, why)
        const before = names.flow === undefined ? 0 : liveRevision(names.flow)
        if (before > 0 && now.revision !== undefined && now.revision !== before)
          setRevisions({ before, after: now.revision })
        return undefined
      } catch (error) {
        if (!isProblem(error, 409) || error.code !== 'flow.changed' || attempts === MAX_ATTEMPTS) throw error
        await pause(HISTORY_PAUSE_MS)
      }
    }
  }
  const publish = async (why?: string) => {
    setBusy(true)
    setRefused(undefined)
    try {
      const reason = await attempt(why)
      if (reason === undefined) {
        await queries.invalidateQueries({ queryKey: [address.kind] })
        return setDone(true)
      }
      setRefused(reason)
    } catch (error) {
      if (isProblem(error, 409) || (isProblem(error) && error.code === 'test.failed')) await queries.invalidateQueries()
      setRefused(failureOf(error, t(`failure.publish.${address.kind}`)))
    }
    setBusy(false)
  }
  return { publish, busy, refused, isDone, revisions, going: unpublished.going }
}

const SIGN = { added: Plus, changed: Triangle, removed: Minus } as const

const LINK_SIGN = { added: '+ ', changed: '', removed: '− ' } as const

const Line = ({ going }: { readonly going: Going }) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { canvas } = useDesigner()
  const Sign = SIGN[going.kind]
  const flow = canvas.flow.get()
  const node = flow.nodes.get(going.id)
  const title =
    going.id === CODE
      ? t('publish.code')
      : node === undefined
        ? going.title || typeName(going.type, words)
        : plainTitle(node, words)
  const preview = node === undefined || isMarker(node) ? '' : previewText(previewOf(node, words))
  const links = going.links.map(link => `${LINK_SIGN[link.kind]}${mentionWords(flow, link, words, { isShort: true })}`)
  return (
    <chakra.li display="flex" alignItems="center" gap="2.5" minH="10" borderTopWidth="1px" fontSize="sm">
      <chakra.span color={`diff.${going.kind}.fg`} title={t(`publish.${going.kind}`)} flex="none">
        <Sign size={14} strokeWidth={2.5} aria-label={t(`publish.${going.kind}`)} />
      </chakra.span>
      {going.id === CODE ? null : <Tile type={node?.type ?? going.type} size={22} />}
      <chakra.span flex="1" minW="0" py="1">
        <chakra.span display="block" truncate>
          {title} <chakra.span color="fg.muted">{preview}</chakra.span>
        </chakra.span>
        {links.length === 0 ? null : (
          <chakra.span display="block" fontSize="xs" color="fg.muted" lineClamp={2}>
            {links.join(' · ')}
          </chakra.span>
        )}
      </chakra.span>
      <HStack gap="1">
        {going.authors.map(author => (
          <span key={author.id} title={author.username ?? ''}>
            <PersonAvatar person={author} size={20} />
          </span>
        ))}
      </HStack>
    </chakra.li>
  )
}

interface FindingsProps {
  readonly shown: readonly LintFinding[]
  readonly label: string
  onClose(): void
}

/** Each finding with the way to its block. */
const PublishFindings = ({ shown, label, onClose }: FindingsProps) => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const commands = useCommands()
  const { canvas } = useDesigner()
  const flow = useStoreValue(canvas.flow)
  const show = ({ block, field }: LintFinding) => {
    onClose()
    commands.show(block, field)
  }
  return (
    <chakra.ul listStyleType="none" m="0" mb="3" maxH="200px" overflowY="auto" aria-label={label}>
      {shown.map(finding => {
        const node = flow.nodes.get(finding.block)
        return (
          <chakra.li
            key={`${finding.block} ${finding.code} ${finding.field ?? ''} ${finding.name ?? ''}`}
            display="flex"
            alignItems="center"
            gap="2"
            minH="9"
            fontSize="sm"
          >
            <chakra.span flex="1" minW="0">
              <b>{node === undefined ? t('lint.flow') : plainTitle(node, words)}</b>{' '}
              {findingMessage(finding, flow, words)}
              {node === undefined || isMarker(node) ? null : (
                <chakra.small display="block" fontSize="xs" color="fg.muted" truncate>
                  {previewText(previewOf(node, words))}
                </chakra.small>
              )}
            </chakra.span>
            {node === undefined ? null : (
              <Button size="xs" onClick={() => show(finding)}>
                {t('publish.mend')}
              </Button>
            )}
          </chakra.li>
        )
      })}
    </chakra.ul>
  )
}

interface ChecksProps {
  readonly errors: readonly LintFinding[]
  readonly warnings: readonly LintFinding[]
  onClose(): void
}

/** Errors that hold publishing back, and warnings at what is published. */
const PublishChecks = ({ errors, warnings, onClose }: ChecksProps) => {
  const { t } = useTranslation('designer')
  return (
    <>
      {errors.length > 0 ? (
        <>
          <HStack role="alert" mb="3" gap="2" fontSize="sm" color="danger.fg">
            <CircleAlert size={16} aria-hidden />
            {t('publish.errors', { count: errors.length })}
          </HStack>
          <PublishFindings shown={errors} label={t('lint.title')} onClose={onClose} />
        </>
      ) : null}
      {warnings.length > 0 ? (
        <>
          <HStack mb="1" gap="2" fontSize="sm" color="warning.fg">
            <TriangleAlert size={16} aria-hidden />
            {t('lint.warnings', { count: warnings.length })}
          </HStack>
          <PublishFindings shown={warnings} label={t('lint.warnings', { count: warnings.length })} onClose={onClose} />
        </>
      ) : null}
    </>
  )
}

const usePublishedFlow = () => {
  const { address } = useDesigner()
  const { flow, task, bot } = useNames()
  return { bot: bot?.id, flow: { kind: address.kind, id: address.id, name: flow?.name ?? '', task: task?.id } }
}

/** A chat that was asked for together with publishing. */
interface AskedTrial {
  /** `performance.now()` of the press. */
  readonly since: number
  readonly changed: number
}

interface PublishedHereProps {
  readonly asked: AskedTrial | undefined
  readonly revisions: TrialStart['revisions']
  onClose(): void
}

/** The result of publishing the open flow: the chat that was asked for, else a notice with the way to it. */
const PublishedHere = ({ asked, revisions, onClose }: PublishedHereProps) => {
  const { t } = useTranslation(['designer', 'shell'])
  const { notice } = useDesigner()
  const { send } = useMode()
  const begin = useTrial()
  const rollBack = useRollback()
  const published = usePublishedFlow()
  return (
    <Published
      {...published}
      tell={result => {
        const { text, isLacking, tryIt } = result
        const lead = { label: t('shell:reach.missing'), run: () => send({ type: 'REACH' }) }
        const run = (start: TrialStart) => {
          notice.set(undefined)
          void begin(start, result)
        }
        if (asked !== undefined && tryIt !== undefined)
          return run({
            changed: asked.changed,
            ms: performance.now() - asked.since,
            ...(revisions === undefined ? {} : { revisions }),
          })
        const attempt = tryIt && { label: t('shell:reach.try'), run: () => run({ changed: 0, ms: undefined }) }
        const back = revisions && {
          label: t('rollback.back', { revision: revisions.before }),
          run: () => void rollBack(revisions.before, revisions.after),
        }
        const [action, other] = [attempt, isLacking ? lead : undefined, back].filter(each => each !== undefined)
        notice.set({ text, stays: action !== undefined, ...(action && { action }), ...(other && { other }) })
      }}
      onClose={onClose}
    />
  )
}

/** The steps that are missing until people can talk to the bot of the open flow. */
export const MissingStepsSheet = ({ onClose }: { readonly onClose: () => void }) => {
  const { bot, flow } = usePublishedFlow()
  return bot === undefined ? null : <PublishedDialog bot={bot} flow={flow} onClose={onClose} />
}

/** Confirms publishing the open flow: changes, authors, and blocking errors. */
export const PublishFlow = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('designer')
  const { address, findings } = useDesigner()
  const names = useNames()
  const bot = names.bot?.id
  const { can } = useSession()
  const mayTry = address.kind === 'dialog' && can('readchannel')
  const { publish, busy, refused, isDone, revisions, going } = usePublish()
  const found = useStoreValue(findings)
  const errors = found.filter(({ severity }) => severity === 'error')
  const changed = new Set(going.map(({ id }) => id))
  const warnings = found.filter(({ severity, block }) => severity === 'warning' && changed.has(block))
  const authors = new Set(going.flatMap(each => each.authors.map(({ id }) => id))).size
  const [asked, ask] = useState<AskedTrial>()
  if (isDone) return <PublishedHere asked={asked} revisions={revisions} onClose={onClose} />
  return (
    <PublishDialog
      title={t('publish.title', { name: names.flow?.name ?? '' })}
      blocked={errors.length > 0}
      busy={busy}
      refusal={refused}
      going={
        bot === undefined
          ? undefined
          : {
              bot,
              dialogs: address.kind === 'dialog' ? [address.id] : [],
              handlers: address.kind === 'handler' ? [address.id] : [],
            }
      }
      entity={address.kind}
      onPublish={reason => {
        ask(undefined)
        void publish(reason)
      }}
      {...(mayTry
        ? {
            onTry: (reason?: string) => {
              ask({ since: performance.now(), changed: going.length })
              void publish(reason)
            },
          }
        : {})}
      onClose={onClose}
    >
      <chakra.p fontSize="sm" color="fg.muted" mb="3">
        {going.length === 0
          ? t('publish.nothing')
          : `${t('publish.what', { count: going.length })} ${t('publish.people', { count: authors })}`}
      </chakra.p>
      <PublishChecks errors={errors} warnings={warnings} onClose={onClose} />
      <chakra.ul listStyleType="none" m="0" maxH="320px" overflowY="auto">
        {going.map(each => (
          <Line key={each.id} going={each} />
        ))}
      </chakra.ul>
    </PublishDialog>
  )
}
