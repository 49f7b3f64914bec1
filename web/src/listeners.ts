/** Who wants to be called when something has changed. */
export class Listeners {
  private readonly all = new Set<() => void>();

  /** Calls it from now on; what comes back ends that. */
  readonly add = (changed: () => void): (() => void) => {
    this.all.add(changed);
    return () => void this.all.delete(changed);
  };

  tell(): void {
    for (const changed of [...this.all]) changed();
  }
}
