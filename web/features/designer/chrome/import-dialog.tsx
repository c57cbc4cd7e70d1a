import { Button, chakra, HStack } from '@chakra-ui/react'
import { CircleAlert, FileUp, Minus, Plus, Triangle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Modal } from '#web/components/modal.tsx'
import { MARK_KINDS } from '#web/entity/flow/read-revisions.ts'
import { useCommands } from '../commands/commands.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import type { ComingFlow } from '../session/pending-import.ts'

const SIGN = { added: Plus, changed: Triangle, removed: Minus } as const
/** Maximum of named types. */
const MAX_NAMED_TYPES = 6

const Asked = ({ coming }: { readonly coming: ComingFlow }) => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const commands = useCommands()
  const people = useStoreValue(designer.room.peers.people).filter(({ viewer }) => !viewer)
  const names = [...new Set(people.map(({ name }) => name))].join(', ')
  const close = () => designer.coming.set(undefined)
  const { unknown } = coming
  const more = unknown.length > MAX_NAMED_TYPES ? ', …' : ''
  return (
    <Modal
      alert
      onClose={close}
      icon={<FileUp size={18} aria-hidden />}
      title={t('import.title', { name: coming.name })}
      actions={
        <Button data-autofocus variant="solid" colorPalette="accent" onClick={() => commands.takeIn(coming)}>
          {t('import.do')}
        </Button>
      }
    >
      <chakra.ul listStyleType="none" m="0" mb="3" fontSize="sm">
        {MARK_KINDS.filter(kind => coming[kind] > 0).map(kind => {
          const Sign = SIGN[kind]
          return (
            <chakra.li key={kind} display="flex" alignItems="center" gap="2.5" minH="7">
              <chakra.span color={`diff.${kind}.fg`} flex="none">
                <Sign size={14} strokeWidth={2.5} aria-hidden />
              </chakra.span>
              {t(`import.${kind}`, { count: coming[kind] })}
            </chakra.li>
          )
        })}
      </chakra.ul>
      {unknown.length === 0 ? null : (
        <chakra.p fontSize="sm" mb="3" overflowWrap="anywhere">
          {t('import.unknown', { count: unknown.length, types: unknown.slice(0, MAX_NAMED_TYPES).join(', ') + more })}
        </chakra.p>
      )}
      {people.length === 0 ? null : (
        <HStack mb="3" gap="2" fontSize="sm" color="warning.fg" align="flex-start">
          <CircleAlert size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          {t('import.people', { count: people.length, names })}
        </HStack>
      )}
      <chakra.p fontSize="sm" color="fg.muted">
        {t(coming.isLarge ? 'import.byHistory' : 'import.safe')}
      </chakra.p>
    </Modal>
  )
}

/** Asks before a file takes the place of what is in the flow. */
export const ImportDialog = () => {
  const coming = useStoreValue(useDesigner().coming)
  return coming === undefined ? null : <Asked coming={coming} />
}
