import { Button, HStack, Text } from '@chakra-ui/react'
import { Trash2, Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { type RemovedThing, useRemoved } from '#web/entity/use-removed.ts'
import { momentOf } from '#web/format/time.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PastForm } from './past-form.tsx'

interface Props {
  readonly entity: EntityDeclaration
  readonly id: string
}

/** The page of something removed: who removed it and when, how it was, and the way back. */
export const RemovedDetail = ({ entity, id }: Props) => {
  const { isPending, removed } = useRemoved(entity.name, id)
  if (isPending) return <PageSkeleton />
  return removed === undefined ? <ErrorMessage code="404" /> : <Removed entity={entity} {...removed} />
}

const Removed = ({ entity, row, last, revision }: RemovedThing & { entity: EntityDeclaration }) => {
  const { t } = useTranslation(['history', 'shell'])
  const { can } = useSession()
  const command = useEntityCommand(entity)
  const name = String(row[entity.title] ?? '—')
  return (
    <Page
      title={name}
      name={name}
      band={
        <HStack
          role="status"
          bg="bg.inverted"
          color="fg.inverted"
          px={{ base: '3', md: '6' }}
          py="2"
          gap="3"
          flexWrap="wrap"
        >
          <Trash2 size={16} aria-hidden="true" />
          <Text flex="1" textStyle="dense">
            {t('history:removedby', { name: nameOf(last.actor), time: momentOf(last.time) })}
          </Text>
          {can(`update${entity.name}`) ? (
            <Button size="xs" onClick={() => void command.restore(row, revision).catch(command.failed)}>
              <Undo2 size={14} aria-hidden="true" />
              {t('shell:bringback')}
            </Button>
          ) : null}
        </HStack>
      }
    >
      <PastForm entity={entity} row={row} />
    </Page>
  )
}
