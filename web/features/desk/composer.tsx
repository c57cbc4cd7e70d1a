import { Box, Button, chakra, HStack, Kbd, Stack, Text, Textarea, VisuallyHidden } from '@chakra-ui/react'
import { Eye, MessageSquareQuote, Paperclip, PenLine, Send, Smile, StickyNote, TriangleAlert } from 'lucide-react'
import { type Ref, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { RemovableChip } from '#web/components/chip.tsx'
import { EmojiPicker } from '#web/components/emoji/emoji-picker.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { MentionList } from '#web/components/mention/mention-list.tsx'
import { OptionRow } from '#web/components/option-row.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useLabel } from '#web/entity/label.ts'
import { CharacterCount } from '#web/form/character-count.tsx'
import { bytesOf } from '#web/format/number.ts'
import { momentOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { type CannedAnswer, valueName } from './canned.ts'
import { holderOf } from './chat-list.tsx'
import {
  type ComposerChat,
  type ComposerHandle,
  type ComposerMode,
  type ComposerState,
  useComposer,
} from './use-composer.ts'
import { type AnswerFiles, useAnswerFiles } from './use-outbox.ts'

interface CannedProps {
  readonly id: string
  readonly answers: readonly CannedAnswer[]
  readonly total: number
  readonly active: number
  readonly onPoint: (index: number) => void
  readonly onChoose: (answer: CannedAnswer) => void
}

/** Canned answers above the composer; the text keeps the focus and its keys move in the list. */
const CannedList = ({ id, answers, total, active, onPoint, onChoose }: CannedProps) => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  return (
    <Box className="dk-canned">
      <HStack px="3" py="2" textStyle="secondary" color="fg.muted">
        <Text as="b">{t('canned.title')}</Text>
        {t('canned.count', { shown: answers.length, count: total })}
        {can('createcannedanswer') ? (
          <RouterLink to="/cannedanswer/new" ms="auto" color="accent.fg" fontWeight="semibold">
            {t('canned.new')}
          </RouterLink>
        ) : null}
      </HStack>
      {answers.length === 0 ? (
        <Text px="3" pb="3" textStyle="dense" color="fg.muted">
          {t(total === 0 ? 'canned.none' : 'canned.nothing')}
        </Text>
      ) : (
        <Box id={id} role="listbox" aria-label={t('canned.title')} maxH="240px" overflowY="auto">
          {answers.map((answer, index) => (
            <OptionRow
              key={answer.id}
              list={id}
              index={index}
              active={active}
              onPoint={onPoint}
              onChoose={() => onChoose(answer)}
            >
              <code>/{answer.shortcut}</code>
              <Box as="span" flex="1" minW="0">
                <Text as="span" display="block" lineClamp="2">
                  {answer.text}
                </Text>
                {answer.missing.length === 0 ? null : (
                  <Text as="span" textStyle="secondary" color="warning.fg">
                    {t('canned.missing', { names: answer.missing.map(name => valueName(t, name)).join(', ') })}
                  </Text>
                )}
              </Box>
              {index === active ? <Kbd hideBelow="md">Enter</Kbd> : null}
            </OptionRow>
          ))}
        </Box>
      )}
    </Box>
  )
}

/** The count of characters shows from this share of the limit on. */
const COUNT_FROM = 0.8

interface Props extends ComposerChat {
  /** Colleagues who have this chat open. */
  readonly viewers: readonly { readonly user: string; readonly name: string }[]
  /** The answer was not sent: a colleague wrote meanwhile. */
  readonly isChanged: boolean
  /** The field has the focus from its first moment. */
  readonly isFocused: boolean
  readonly ref: Ref<ComposerHandle>
}

const Presence = ({ viewers, typist }: Pick<Props, 'viewers' | 'typist'>) => {
  const { t } = useTranslation('desk')
  const isPhone = useMedia(PHONE)
  const [first] = viewers
  if (first === undefined && typist === undefined) return null
  const Icon = typist === undefined ? Eye : PenLine
  const words =
    typist === undefined
      ? t('presence.viewing', { count: viewers.length, names: viewers.map(({ name }) => name).join(', ') })
      : t('presence.answering', { name: typist })
  return (
    <HStack gap="2" ms="auto" textStyle="secondary" color="fg.muted" minW="0" role="status">
      {first === undefined ? null : <PersonAvatar person={holderOf(first)} size={20} />}
      {isPhone ? (
        // The line has no room for the words.
        <>
          <Icon size={15} aria-hidden="true" />
          <VisuallyHidden>{words}</VisuallyHidden>
        </>
      ) : (
        <Text truncate>{words}</Text>
      )}
    </HStack>
  )
}

const FileChips = ({ files }: { readonly files: AnswerFiles }) => {
  const { t } = useTranslation('desk')
  return (
    <>
      {files.files.length === 0 ? null : (
        <HStack gap="2" flexWrap="wrap">
          {files.files.map(({ id, name, size }) => (
            <RemovableChip key={id} name={name} disabled={false} onRemove={() => files.remove(id)}>
              {name} {bytesOf(size)}
            </RemovableChip>
          ))}
        </HStack>
      )}
      <VisuallyHidden role="status">{files.isBusy ? t('file.busy') : ''}</VisuallyHidden>
    </>
  )
}

interface FieldProps {
  readonly state: ComposerState
  readonly files: AnswerFiles
  readonly person: string
  /** Id of the list of canned answers. */
  readonly list: string
  readonly isFocused: boolean
}

const NOTE_LOOK = { bg: 'warning.subtle', borderStyle: 'dashed', borderColor: 'warning.emphasized' } as const

/** The text, a combobox while canned answers or colleagues are offered. */
const Field = ({ state, files, person, list, isFocused }: FieldProps) => {
  const { t } = useTranslation('desk')
  const isPhone = useMedia(PHONE)
  const { isNote, text, canned, people } = state
  const open = canned.items === undefined ? people : canned
  const placeholder = isNote ? 'composer.noteplaceholder' : isPhone ? 'composer.short' : 'composer.placeholder'
  return (
    <Textarea
      ref={state.field}
      autoFocus={isFocused}
      flex="1"
      rows={1}
      minH={{ base: '11', md: '38px' }}
      py={{ base: '2.5', md: '2' }}
      resize="none"
      aria-label={t(isNote ? 'composer.notelabel' : 'composer.answerlabel', { name: person })}
      placeholder={t(placeholder, { name: person })}
      aria-invalid={state.isTooLong || state.gaps.length > 0 || undefined}
      {...(open.items === undefined
        ? {}
        : {
            role: 'combobox',
            'aria-expanded': true,
            'aria-controls': list,
            'aria-activedescendant': `${list}-${open.active}`,
          })}
      {...(isNote ? NOTE_LOOK : {})}
      disabled={state.isOver}
      value={text}
      onChange={event => state.write(event.target.value, event.target.selectionStart)}
      onSelect={event => state.setCaret(event.currentTarget.selectionStart)}
      onKeyDown={state.onKeyDown}
      onPaste={event => {
        const pasted = [...event.clipboardData.files]
        if (pasted.length === 0 || isNote) return
        event.preventDefault()
        files.add(pasted)
      }}
    />
  )
}

const SendButton = ({ state }: { readonly state: ComposerState }) => {
  const { t } = useTranslation('desk')
  const isPhone = useMedia(PHONE)
  const { isNote, isWarned } = state
  const words = t(isNote ? 'composer.savenote' : isWarned ? 'composer.anyway' : 'composer.send')
  return (
    <Button
      variant="solid"
      minH={{ base: '11', md: '38px' }}
      {...(isWarned ? { colorPalette: 'warning' } : {})}
      aria-label={words}
      disabled={!state.isSendable}
      onClick={state.send}
    >
      {isNote ? <StickyNote size={15} aria-hidden="true" /> : <Send size={15} aria-hidden="true" />}
      {isPhone && !isWarned ? null : words}
    </Button>
  )
}

interface FootProps {
  readonly chat: Props['chat']
  readonly state: ComposerState
  readonly files: AnswerFiles
  readonly onPick: () => void
}

/** Files, canned answers, and the channel's rule. */
const Foot = ({ chat, state, files, onPick }: FootProps) => {
  const { t } = useTranslation('desk')
  const label = useLabel()
  const isPhone = useMedia(PHONE)
  const { isNote, isOver, text, max } = state
  const rule =
    chat.window === null
      ? ''
      : t(isOver ? 'window.over' : 'window.until', {
          channel: label.option('channel', 'type', chat.channeltype),
          time: momentOf(chat.window),
        })
  const isCounted = text.length > max * COUNT_FROM
  if (isPhone && !isOver && !isCounted) return null
  return (
    <HStack gap="4" textStyle="secondary" color="fg.muted" minH={{ md: '5' }}>
      {isNote || isPhone ? null : (
        <>
          <Button size="xs" variant="ghost" px="0" loading={files.isBusy} onClick={onPick}>
            <Paperclip size={14} aria-hidden="true" />
            {t('file.attach')}
          </Button>
          <Button size="xs" variant="ghost" px="0" onClick={state.openCanned}>
            <MessageSquareQuote size={14} aria-hidden="true" />
            {t('canned.open')}
          </Button>
        </>
      )}
      {isPhone ? null : (
        <EmojiPicker label={t('emoji.open')} onChoose={state.insert}>
          <Button size="xs" variant="ghost" px="0" disabled={isOver}>
            <Smile size={14} aria-hidden="true" />
            {t('emoji.open')}
          </Button>
        </EmojiPicker>
      )}
      <Text ms="auto" {...(isOver ? { color: 'warning.fg' } : {})}>
        {isNote ? t('composer.noterule') : rule}
      </Text>
      {isCounted ? <CharacterCount value={text} max={max} /> : null}
    </HStack>
  )
}

/** The line of the field: files on a phone, the text, and the button that sends it. */
const Line = ({
  state,
  files,
  person,
  list,
  isFocused,
  typist,
  onPick,
}: FieldProps & { readonly typist: string | undefined; readonly onPick: () => void }) => {
  const { t } = useTranslation('desk')
  const isPhone = useMedia(PHONE)
  return (
    <>
      <HStack gap="2" align="flex-end">
        {isPhone && !state.isNote ? (
          <IconButton
            icon={Paperclip}
            label={t('file.attach')}
            minH="11"
            minW="11"
            loading={files.isBusy}
            onClick={onPick}
          />
        ) : null}
        <Field state={state} files={files} person={person} list={list} isFocused={isFocused} />
        {isPhone ? (
          <EmojiPicker label={t('emoji.open')} onChoose={state.insert}>
            <IconButton icon={Smile} label={t('emoji.open')} minH="11" minW="11" disabled={state.isOver} />
          </EmojiPicker>
        ) : null}
        <SendButton state={state} />
      </HStack>
      {state.isWarned && typist !== undefined ? (
        <Text role="alert" textStyle="secondary" color="warning.fg">
          {t('composer.collision', { name: typist })}
        </Text>
      ) : null}
      {state.gaps.length === 0 ? null : (
        <HStack gap="1.5" role="alert" textStyle="secondary" color="warning.fg">
          <TriangleAlert size={13} aria-hidden="true" />
          {t('canned.gaps', { names: state.gaps.map(gap => valueName(t, gap)).join(', ') })}
        </HStack>
      )}
    </>
  )
}

/** The field for answers and notes: canned answers, files, the channel's limits. */
export const Composer = ({ viewers, isChanged, isFocused, ref, ...given }: Props) => {
  const { chat, isNoteOnly, typist } = given
  const { t } = useTranslation('desk')
  const list = useId()
  const picker = useRef<HTMLInputElement>(null)
  const files = useAnswerFiles(chat)
  const state = useComposer(given, files, ref)
  const { isNote, canned, people } = state
  const isPhone = useMedia(PHONE)
  const pick = () => picker.current?.click()
  const modes = [
    ...(isNoteOnly ? [] : [{ value: 'answer' as const, label: t('composer.answer') }]),
    { value: 'note' as const, label: t('composer.note'), icon: StickyNote },
  ]
  return (
    <Stack
      as="section"
      aria-label={t('composer.label')}
      gap="2"
      px={{ base: '3', md: '5' }}
      py="2.5"
      borderTopWidth={{ base: isNoteOnly ? '1px' : '0', md: '1px' }}
      bg="bg.surface"
      flex="none"
      position="relative"
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        if (!isNote) files.add([...event.dataTransfer.files])
      }}
    >
      {people.items === undefined ? null : (
        <MentionList
          id={list}
          label={t('composer.people')}
          className="dk-canned"
          people={people.items}
          active={people.active}
          onPoint={people.setActive}
          onChoose={state.mention}
        />
      )}
      {canned.items === undefined ? null : (
        <CannedList
          id={list}
          answers={canned.items}
          total={state.cannedTotal}
          active={canned.active}
          onPoint={canned.setActive}
          onChoose={state.choose}
        />
      )}
      <HStack gap="3" minH="7">
        <Segments<ComposerMode>
          label={t('composer.mode')}
          value={state.mode}
          options={modes}
          onChange={state.chooseMode}
        />
        {isPhone && !isNote && !state.isOver ? (
          <IconButton
            icon={MessageSquareQuote}
            label={t('canned.title')}
            minH="11"
            minW="11"
            onClick={state.openCanned}
          />
        ) : null}
        <Presence viewers={viewers} typist={typist} />
      </HStack>
      {isChanged ? (
        <Text role="alert" textStyle="secondary" color="warning.fg">
          {t('composer.changed')}
        </Text>
      ) : null}
      {isNote ? null : <FileChips files={files} />}
      <Line {...{ state, files, list, isFocused, typist }} person={chat.person} onPick={pick} />
      <Foot chat={chat} state={state} files={files} onPick={pick} />
      <chakra.input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t('file.attach')}
        accept={chat.limits.files.join(',')}
        onChange={event => {
          files.add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </Stack>
  )
}
