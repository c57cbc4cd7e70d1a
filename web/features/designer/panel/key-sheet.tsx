import { chakra, Kbd } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Modal } from '#web/components/modal.tsx'

const KEYS: readonly (readonly [string, readonly string[]])[] = [
  ['palette', ['Ctrl', 'K']],
  ['add', ['A']],
  ['find', ['Ctrl', 'F']],
  ['replace', ['Ctrl', 'H']],
  ['search', ['Ctrl', '⇧', 'F']],
  ['uses', ['U']],
  ['tools', ['V', 'H']],
  ['undo', ['Ctrl', 'Z', 'Y']],
  ['fit', ['⇧1', '⇧2']],
  ['follow', ['F']],
  ['zoom', ['+', '-', '0']],
  ['problem', ['F8']],
  ['link', ['L']],
  ['walk', ['↑', '↓', '←', '→']],
  ['move', ['Alt', '↑↓←→']],
  ['open', ['Enter']],
  ['select', ['Space']],
  ['copy', ['Ctrl', 'C', 'X', 'V', 'D']],
  ['remove', ['Del']],
  ['group', ['G']],
  ['outline', ['O']],
  ['track', ['T']],
  ['comments', ['C']],
  ['region', ['F6']],
  ['compact', ['D']],
  ['jumpTags', ['J']],
  ['news', ['M']],
]

/** Every key of the designer. */
export const KeySheet = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('designer')
  return (
    <Modal open onClose={onClose} title={t('keys.title')} width={640}>
      <chakra.dl display="grid" gridTemplateColumns={{ base: '1fr', md: '1fr 1fr' }} columnGap="6" m="0">
        {KEYS.map(([id, keys]) => (
          <chakra.div
            key={id}
            display="flex"
            alignItems="center"
            justifyContent="space-between"
            minH="9"
            borderTopWidth="1px"
            fontSize="sm"
          >
            <dt>{t(`keys.${id}`)}</dt>
            <chakra.dd display="flex" gap="1" m="0">
              {keys.map(key => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </Modal>
  )
}
