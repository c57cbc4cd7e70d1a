import { Button, chakra, HStack } from '@chakra-ui/react'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { partsOf } from '#domain/comment.ts'
import { ADMINISTRATION } from '#domain/people/permission.ts'
import { failureOf } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { type NamedPerson, nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { agoOf, momentOf } from '#web/format/time.ts'
import { useDesigner } from '../session/designer.ts'
import { Composer } from './composer.tsx'
import { type Comment, toWritten } from './thread.ts'
import { useComments } from './use-comments.ts'

/** A person's name as it is now; the forgotten have none. */
export const usePersonName = () => {
  const { t } = useTranslation('comment')
  return (person: NamedPerson | null) => {
    if (person?.username !== null) return nameOf(person)
    return person.forgotten ? t('forgotten') : t('somebody')
  }
}

const Text = ({ comment }: { readonly comment: Comment }) => {
  const named = usePersonName()
  return (
    <chakra.p fontSize={{ base: 'md', md: 'sm' }} whiteSpace="pre-wrap" overflowWrap="anywhere">
      {partsOf(comment.text).map((part, index) => {
        const key = `${index}`
        if ('text' in part) return <span key={key}>{part.text}</span>
        const person = comment.mentioned.find(({ id }) => id === part.user) ?? { id: part.user, username: null }
        return (
          <b key={key} className="pl-named">
            @{named(person)}
          </b>
        )
      })}
    </chakra.p>
  )
}

const Time = ({ comment }: { readonly comment: Comment }) => {
  const { t } = useTranslation('comment')
  const { created_at: made, edited_at: edited } = comment
  return (
    <chakra.span fontSize="xs" color="fg.muted" whiteSpace="nowrap">
      <time dateTime={made} title={momentOf(made)}>
        {agoOf(made)}
      </time>
      {edited === null ? null : <span title={momentOf(edited)}> · {t('edited')}</span>}
    </chakra.span>
  )
}

/** One comment: author, time, text; its author and administrators edit and remove it in place. */
const ItemMenu = ({ name, actions }: { readonly name: string; readonly actions: readonly MenuAction[] }) => {
  const { t } = useTranslation('comment')
  return (
    <ActionMenu label={t('more')} actions={actions}>
      <Button
        variant="ghost"
        size="2xs"
        px="0"
        my={{ base: '-2.5', md: '-1' }}
        minW={{ base: '44px', md: '24px' }}
        minH={{ base: '44px', md: '24px' }}
        aria-label={t('moreOf', { name })}
      >
        <Ellipsis size={15} aria-hidden />
      </Button>
    </ActionMenu>
  )
}

export const CommentItem = ({ comment }: { readonly comment: Comment }) => {
  const { t } = useTranslation('comment')
  const { user, can } = useSession()
  const { notice } = useDesigner()
  const comments = useComments()
  const named = usePersonName()
  const [editing, setEditing] = useState(false)
  const mine = comment.author?.id === user.id || ADMINISTRATION.every(can)
  const remove = () =>
    void comments.remove(comment).catch(error => notice.set({ text: failureOf(error, t('failed')), tone: 'failed' }))
  const actions = [
    { id: 'edit', label: t('edit'), icon: Pencil, run: () => setEditing(true) },
    { id: 'remove', label: t('remove'), icon: Trash2, danger: true, run: remove },
  ]
  return (
    <HStack align="flex-start" gap="2.5">
      <PersonAvatar person={comment.author} size={24} />
      <chakra.div flex="1" minW="0">
        <HStack gap="2" minH="24px">
          <chakra.b fontSize="sm" truncate>
            {named(comment.author)}
          </chakra.b>
          <Time comment={comment} />
          <chakra.span flex="1" />
          {mine && !editing ? <ItemMenu name={named(comment.author)} actions={actions} /> : null}
        </HStack>
        {editing ? (
          <Composer
            label={t('edit')}
            place={`edit ${comment.id}`}
            initial={toWritten(comment.text, comment.mentioned)}
            action={t('save')}
            focus
            onSend={async text => {
              await comments.edit(comment, text)
              setEditing(false)
            }}
            onLeave={() => setEditing(false)}
            cancel
          />
        ) : (
          <Text comment={comment} />
        )}
      </chakra.div>
    </HStack>
  )
}
