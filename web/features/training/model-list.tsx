import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { Ellipsis, FlaskConical, GitCompareArrows, Rocket, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ListedModel } from '#domain/nlu-training.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { usePerson } from '#web/entity/person-query.ts'
import type { StatementOwner } from '#web/features/statement/index.ts'
import { dayOf, momentOf } from '#web/format/time.ts'
import { figureOf, otherModel } from '#web/nlu/training-status.tsx'
import { CompareDialog } from './compare-dialog.tsx'

const RouterLink = chakra(Link)

interface Props {
  readonly owner: StatementOwner
  readonly project: RowOf<'nluproject' | 'brain'>
  readonly models: readonly ListedModel[]
  readonly shown: ListedModel | undefined
}

const Flags = ({ model }: { readonly model: ListedModel }) => {
  const { t } = useTranslation('training')
  return (
    <>
      {model.production ? (
        <Chip tone="accent">
          <ShieldCheck size={12} aria-hidden="true" />
          {t('production')}
        </Chip>
      ) : null}
      {model.test ? (
        <Chip tone="info">
          <FlaskConical size={12} aria-hidden="true" />
          {t('test')}
        </Chip>
      ) : null}
    </>
  )
}

const ModelFacts = ({ model }: { readonly model: ListedModel }) => {
  const { t } = useTranslation('training')
  const person = usePerson(model.trained_by)
  return (
    <HStack gap="1.5" textStyle="secondary" color="fg.muted" flex="1 0 auto">
      {person === undefined ? null : <PersonAvatar person={person} size={18} />}
      <Text as="span" truncate title={momentOf(model.created_at)}>
        {dayOf(model.created_at)} · {t('lines', { count: figureOf(model, 'lines') ?? 0 })}
      </Text>
    </HStack>
  )
}

interface RowProps {
  readonly model: ListedModel
  readonly isShown: boolean
  readonly to: string
  readonly actions: readonly MenuAction[]
  readonly onPromote: (() => void) | undefined
}

const ModelRow = ({ model, isShown, to, actions, onPromote }: RowProps) => {
  const { t } = useTranslation('training')
  const f1 = figureOf(model, 'f1') ?? figureOf(model, 'accuracy')
  return (
    <Box
      as="li"
      position="relative"
      px="4"
      py="2.5"
      borderTopWidth="1px"
      borderInlineStartWidth="3px"
      borderInlineStartColor={isShown ? 'accent.solid' : 'transparent'}
      bg={isShown ? 'accent.subtle' : undefined}
    >
      <HStack gap="2" minH="7">
        <RouterLink
          to={to}
          replace
          aria-current={isShown ? 'true' : undefined}
          fontWeight="semibold"
          textStyle="dense"
          focusVisibleRing="outside"
          _after={{ content: '""', position: 'absolute', inset: '0' }}
        >
          {t('model', { number: model.number })}
        </RouterLink>
        <Flags model={model} />
        <Text as="span" ms="auto" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {f1 === undefined ? '—' : t('figure', { value: f1 })}
        </Text>
        {actions.length === 0 ? null : (
          <Box position="relative" zIndex="1">
            <ActionMenu label={t('more', { number: model.number })} actions={actions} align="end">
              <IconButton icon={Ellipsis} size="xs" label={t('more', { number: model.number })} />
            </ActionMenu>
          </Box>
        )}
      </HStack>
      <HStack gap="2" minH="7" flexWrap="wrap" rowGap="0">
        <ModelFacts model={model} />
        {onPromote === undefined ? null : (
          <Button size="xs" variant="ghost" color="accent.fg" px="0" position="relative" zIndex="1" onClick={onPromote}>
            {t('promote')}
          </Button>
        )}
      </HStack>
    </Box>
  )
}

interface ComparedModels {
  readonly model: ListedModel
  readonly other: ListedModel | undefined
}

const useModelActions = (
  { owner: { parent }, project, models }: Props,
  compare: (model: ListedModel, other?: ListedModel) => void,
) => {
  const { t } = useTranslation('training')
  const { can } = useSession()
  const command = useEntityCommand(ENTITIES[parent])
  const [mayPromote, mayTest] = [can(`setproduction${parent}`), can(`settest${parent}`)]
  const actionsOf = (model: ListedModel): readonly MenuAction[] => {
    const setTest = () => void command.act(project, 'settest', { model: model.id })
    const others = models.filter(other => other !== model)
    return [
      ...(mayTest && !model.test ? [{ id: 'test', label: t('settest'), icon: FlaskConical, run: setTest }] : []),
      ...(mayPromote && !model.production
        ? [{ id: 'promote', label: t('promote'), icon: Rocket, run: () => compare(model) }]
        : []),
      ...others.map(other => ({
        id: other.id,
        label: t('comparewith', { number: other.number }),
        icon: GitCompareArrows,
        run: () => compare(model, other),
      })),
    ]
  }
  /** Offered on the row itself for the models that one would choose. */
  const promoteOf = (model: ListedModel) =>
    mayPromote && !model.production && (model.test || model === models[0]) ? () => compare(model) : undefined
  return { actionsOf, promoteOf }
}

/** The models of a project with their flags; one is put into production after its difference was shown. */
export const ModelList = (props: Props) => {
  const { owner, project, models, shown } = props
  const { t } = useTranslation('training')
  const [compared, setCompared] = useState<ComparedModels>()
  const compare = (model: ListedModel, other = otherModel(models, model)) => setCompared({ model, other })
  const { actionsOf, promoteOf } = useModelActions(props, compare)
  if (models.length === 0) return null
  return (
    <Card
      title={t('models')}
      beside={
        <Text as="span" textStyle="secondary" color="fg.muted">
          {t('f1')}
        </Text>
      }
    >
      <Box as="ul" listStyleType="none" aria-label={t('models')}>
        {models.map(model => (
          <ModelRow
            key={model.id}
            model={model}
            isShown={model === shown}
            to={`?model=${model.id}`}
            actions={actionsOf(model)}
            onPromote={promoteOf(model)}
          />
        ))}
      </Box>
      {compared === undefined ? null : (
        <CompareDialog parent={owner.parent} project={project} {...compared} onClose={() => setCompared(undefined)} />
      )}
    </Card>
  )
}
