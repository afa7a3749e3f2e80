import { type CheckedStory, createCheckedStory } from './checked-story.ts';
import type { Project } from './project.ts';
import { commitAll } from './repository.ts';

/** Gives a project the epic `shop`, with one checked story `cart` in the epic's branch, as its scheduler leaves it. */
export async function createMergedEpic(it: Project): Promise<CheckedStory> {
  it.epic('shop', { cart: [] });
  const checked = await createCheckedStory(it, 'cart');
  const folder = `${it.folder}/epic`;
  it.git('worktree', 'add', '-q', '-b', 'epic/shop', folder, 'main');
  const file = '.saga/epics/shop.json';
  it.write(`../epic/${file}`, { ...JSON.parse(it.read(file)), branch: 'epic/shop' });
  commitAll(it.gitIn, folder, 'saga: begin epic shop');
  it.gitIn(folder, 'merge', '-q', '--no-ff', '-m', 'Merge story/cart into epic/shop', 'story/cart');
  it.git('worktree', 'remove', '--force', folder);
  return checked;
}
